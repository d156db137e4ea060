#!/bin/sh
# Rehearse the restore of a PostgreSQL server: start another one from a base backup and the write-ahead
# log received since, check the bot's database on it, and delete it. See operating.md.
#
#   docs/rehearse-postgresql.sh BASE LOG [USER [DATABASE]]     not as root, in the bot's folder
#
# PYTHON selects the Python of the bot. The programs of the server must be on the PATH, in the version
# that wrote the backup; Debian has them in /usr/lib/postgresql/VERSION/bin.
set -eu
base=$(cd "$1" && pwd) log=$(cd "$2" && pwd) user=${3:-tichu} database=${4:-tichu}
folder=$(mktemp -d)
trap 'pg_ctl -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT
mkdir -m 700 "$folder/data"
tar -xzf "$base/base.tar.gz" -C "$folder/data"
touch "$folder/data/recovery.signal"
cat >"$folder/data/postgresql.conf" <<END
listen_addresses = ''
unix_socket_directories = '$folder'
hot_standby = off
restore_command = 'cp "$log/%f" "%p" 2>/dev/null || cp "$log/%f.partial" "%p"'
END
rm -f "$folder/data/postgresql.auto.conf"
echo 'local all all trust' >"$folder/data/pg_hba.conf"
pg_ctl -D "$folder/data" -l "$folder/log" -w -t 86400 start >/dev/null || {
    cat "$folder/log" >&2
    exit 1
}
export DATABASE_URL="postgresql+asyncpg://$user@/$database?host=$folder" HEARTBEAT_FILE="$folder/heartbeat"
"${PYTHON:-.venv-run/bin/python}" -m bot check
