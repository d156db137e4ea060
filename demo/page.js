// Added to the script of SimCord's page.

// An edit of a message draws it anew, with pictures that have yet to come. Until each of them is
// there, the one that stood in its place remains: the same emoji, or the picture of the same kind.
// While none stands there the messages are shorter, and SimCord moves those below up: they go back.
function keepPictures(timeline, list) {
  let [height, top] = [0, 0];
  const look = () => { [height, top] = [timeline.scrollHeight, timeline.scrollTop]; };
  timeline.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(list);
  const kind = (image) => `${image.className} ${image.matches(".custom-emoji") ? image.alt : ""}`;
  new MutationObserver((records) => {
    const before = new Map(); // message -> kind -> its pictures of before, in order
    for (const { target, removedNodes } of records) {
      const message = target.closest("[data-message-id]");
      if (!message) continue;
      if (!before.has(message)) before.set(message, new Map());
      for (const part of removedNodes) {
        if (!(part instanceof Element)) continue;
        const images = [part, ...part.querySelectorAll("*")].filter((e) => e.matches("img"));
        for (const image of images) {
          if (!image.naturalWidth) continue;
          const same = before.get(message).get(kind(image)) ?? [];
          before.get(message).set(kind(image), [...same, image]);
        }
      }
    }
    for (const [message, kinds] of before) {
      for (const image of message.querySelectorAll("img")) {
        if (image.naturalWidth || image.matches(".is-coming")) continue;
        const old = kinds.get(kind(image))?.shift();
        if (!old) continue;
        const there = () => { old.remove(); image.classList.remove("is-coming"); };
        image.before(old);
        image.classList.add("is-coming");
        image.addEventListener("load", there, { once: true });
        image.addEventListener("error", there, { once: true });
      }
    }
    if (before.size && timeline.scrollHeight === height) timeline.scrollTop = top;
  }).observe(list, { childList: true, subtree: true });
}

// "Viewing as" names the next person at once, but the page may first have to wait for an action
// under way. Until it shows the messages of that person, it shows none.
function hideWhileSwitching(picker) {
  let wanted;
  document.addEventListener("change", (event) => {
    if (event.target !== picker) return;
    wanted = picker.value;
    document.body.classList.add("is-switching");
    const look = () => {
      const { viewerId, ready } = window.simcordPreview;
      if (viewerId === wanted || ready) document.body.classList.remove("is-switching");
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, true);
}

// Whoever has not scrolled away from the end of the channel stays there when messages come or grow.
// SimCord moves the list, too, while it draws: only what follows a person's gesture counts, and it
// takes more than one try.
function followNewMessages(timeline, list) {
  const [lines, frames, milliseconds] = [100, 20, 1000];
  let atEnd = true;
  let tries = 0;
  let gesture = 0;
  const moved = (event) => {
    if (event.type === "pointerdown" && list.contains(event.target)) return;
    gesture = performance.now();
    tries = 0;
  };
  for (const kind of ["wheel", "touchmove", "keydown"]) {
    timeline.addEventListener(kind, moved, { passive: true });
  }
  document.addEventListener("pointerdown", moved, { passive: true });
  timeline.addEventListener("scroll", () => {
    if (performance.now() - gesture > milliseconds) return;
    atEnd = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight < lines;
  }, { passive: true });
  const follow = () => {
    if (tries > 0) timeline.scrollTop = timeline.scrollHeight;
    tries -= 1;
    if (tries > 0) requestAnimationFrame(follow);
  };
  new ResizeObserver(() => {
    if (!atEnd) return;
    if (tries <= 0) requestAnimationFrame(follow);
    tries = frames;
  }).observe(list);
}

// SimCord drops a tap while another action is in flight, for example while a hand is being opened.
// Another button is pressed again as soon as it is admitted, unless something else was pressed. A
// second tap on the same one is dropped, as on Discord.
function retryEarlyTaps(list) {
  const milliseconds = 5000;
  let wanted;
  const press = (key, until) => {
    if (wanted !== key || performance.now() > until) return;
    const button = list.querySelector(`[data-control-key="${CSS.escape(key)}"]`);
    if (button?.getAttribute("aria-disabled") === "false") button.click();
    else requestAnimationFrame(() => press(key, until));
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    wanted = undefined;
    if (!button?.matches(".component-button[aria-disabled=true]") || button.disabled) return;
    if (button.dataset.controlKey === state.pendingAction?.controlKey) return;
    wanted = button.dataset.controlKey;
    press(wanted, performance.now() + milliseconds);
  }, true);
}

// Shows SimCord's controls for developers, and hides them again.
function addSwitch(toolbar) {
  const button = document.createElement("button");
  button.id = "demo-switch";
  button.type = "button";
  button.className = "toolbar-button";
  button.textContent = "⚙";
  button.title = "Developer controls";
  button.setAttribute("aria-label", button.title);
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const on = document.body.classList.toggle("is-developing");
    button.setAttribute("aria-pressed", String(on));
  });
  toolbar.append(button);
}

// Lists the channels, threads and direct messages that `demo.channels` sends with each state of the
// page. SimCord writes the name of the channel whenever it shows a new state.
function listChannels(workspace, name) {
  const nav = document.createElement("nav");
  nav.id = "demo-channels";
  nav.setAttribute("aria-label", "Channels");
  workspace.prepend(nav);
  const go = (id) => dispatch("viewer", { viewer_id: state.viewerId, channel_id: id });
  let shown;
  const show = () => {
    const demo = state.snapshot?.demo;
    if (!demo || JSON.stringify(demo) === shown) return;
    shown = JSON.stringify(demo);
    nav.replaceChildren(...demo.channels.map((channel) => {
      const button = document.createElement("button");
      button.type = "button";
      const name = channel.thread ? channel.name : `# ${channel.name}`;
      button.textContent = channel.direct ? "@ Tichu" : name;
      button.classList.toggle("is-thread", channel.thread);
      if (channel.id === demo.channel) button.setAttribute("aria-current", "page");
      else button.addEventListener("click", () => go(channel.id));
      return button;
    }));
  };
  new MutationObserver(show).observe(name, { childList: true });
}

// SimCord's status line is for developers, unless an action was refused or the demo has ended.
function showFailures(status) {
  new MutationObserver(() => {
    const failed = state.closed || state.lastAction?.rejected || state.transport.state === "error";
    document.body.classList.toggle("is-failing", Boolean(failed));
  }).observe(status, { childList: true });
}

const shownTimeline = document.getElementById("channel-timeline");
const shownMessages = document.getElementById("channel-message-list");
keepPictures(shownTimeline, shownMessages);
hideWhileSwitching(document.getElementById("viewer-picker"));
followNewMessages(shownTimeline, shownMessages);
retryEarlyTaps(shownMessages);
addSwitch(document.getElementById("toolbar"));
listChannels(document.getElementById("preview-workspace"), document.getElementById("channel-name"));
showFailures(document.getElementById("action-status"));
document.title = "Tichu";
const [brand] = document.getElementsByClassName("preview-brand");
brand.querySelector("strong").textContent = "Tichu";
brand.querySelector("small").textContent = "Demo";
brand.querySelector(".brand-mark").textContent = "T";

if (!hash) document.body.textContent = "Open the whole address that the demo printed, with the part after #.";
