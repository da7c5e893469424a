#!/bin/sh
# Posts what it reads to a topic of a channel:  make 2>&1 | tail -20 | ./notify.sh ops builds
# BOT_SITE, BOT_EMAIL and BOT_API_KEY say where and as whom. Needs curl 7.76 or later.
set -eu
: "${BOT_SITE:?}" "${BOT_EMAIL:?}" "${BOT_API_KEY:?}"
channel=${1:?a channel} topic=${2:?a topic}

# The key comes by a file descriptor: arguments of programs can be seen by everybody on a machine.
curl --silent --show-error --fail-with-body --max-time 30 --retry 3 --config /dev/fd/3 \
  --data type=channel \
  --data-urlencode "to=$channel" \
  --data-urlencode "topic=$topic" \
  --data-urlencode content@- \
  "$BOT_SITE/api/v1/messages" 3<<END
user = "$BOT_EMAIL:$BOT_API_KEY"
END
