#!/bin/sh
# Posts its standard input to a topic of a channel:  make 2>&1 | tail -20 | ./notify.sh ops builds
# BOT_SITE is the server, BOT_EMAIL and BOT_API_KEY the login of the bot. Needs curl 7.76 or later.
set -eu
: "${BOT_SITE:?}" "${BOT_EMAIL:?}" "${BOT_API_KEY:?}"
channel=${1:?a channel} topic=${2:?a topic}

# The key is read from a file descriptor: every user of the machine can see the arguments of a program.
curl --silent --show-error --fail-with-body --max-time 30 --retry 3 --config /dev/fd/3 \
  --data type=channel \
  --data-urlencode "to=$channel" \
  --data-urlencode "topic=$topic" \
  --data-urlencode content@- \
  "$BOT_SITE/api/v1/messages" 3<<END
user = "$BOT_EMAIL:$BOT_API_KEY"
END
