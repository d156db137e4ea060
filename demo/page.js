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

const shownTimeline = document.getElementById("channel-timeline");
const shownMessages = document.getElementById("channel-message-list");
keepPictures(shownTimeline, shownMessages);
hideWhileSwitching(document.getElementById("viewer-picker"));
followNewMessages(shownTimeline, shownMessages);
