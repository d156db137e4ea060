# The bot in a container: docker compose up -d (see compose.yaml).
#
# The base is a tag, not a digest, so that a rebuild includes its security updates. To pin it, get the
# digest with `docker buildx imagetools inspect python:3.13-slim`, and write
# python:3.13-slim@sha256:... in both FROM lines.

FROM python:3.13-slim AS packages
# Includes the PostgreSQL driver (11 MB): the same image serves one process or many.
COPY requirements-postgres.txt /requirements.txt
RUN python -m venv --without-pip /venv \
    && python -m pip --python /venv/bin/python install --no-cache-dir --disable-pip-version-check \
        --require-hashes -r /requirements.txt
# Remove the tests of numpy, numba and networkx (41 MB), and list the packages in pip's format:
# docker run --rm tichu-bot cat /venv/packages.json
RUN find /venv/lib -type d -name tests -prune \
        \( -path '*/numpy/*' -o -path '*/numba/*' -o -path '*/networkx/*' \) \
        -exec rm -r {} + \
    && python -m pip --python /venv/bin/python inspect >/venv/packages.json

FROM python:3.13-slim
# Remove pip and ensurepip: nothing can be installed in the final image.
RUN python -m pip uninstall --yes --quiet pip \
    && rm -rf "$(python -c 'import ensurepip; print(*ensurepip.__path__)')"
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DATABASE_URL=sqlite+aiosqlite:////data/tichu.db \
    HEARTBEAT_FILE=/tmp/heartbeat \
    COMPILED_AHEAD=/app/compiled
RUN groupadd --gid 10001 tichu \
    && useradd --uid 10001 --gid tichu --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin tichu \
    && install -d -o tichu -g tichu -m 700 /data
COPY --from=packages /venv /venv
WORKDIR /app
COPY engine engine
COPY players players
# Compile the Expert's inner loops for a generic processor of this architecture. Source timestamps are
# set to whole seconds: numba compares them, and image layers may drop the fractions.
RUN find players -name '*.py' -exec touch -d '2026-01-01 00:00:00' {} + \
    && NUMBA_CACHE_DIR=/app/compiled python -m players \
    && chmod -R a+rX /app/compiled
COPY bot bot
COPY cogs cogs
# Compile bytecode now: the container is read-only, so processes cannot cache it.
RUN python -m compileall -q engine players bot cogs
USER 10001:10001
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-m", "bot", "health"]
CMD ["python", "-m", "bot"]
