#!/bin/sh
# Downloads a list as JSON Lines, with a progress bar, and goes on after a cut.
#   KEY=demo-coop ./download.sh sales.graphql sales.jsonl
# The document has a variable $after, which is the `after` of its list.
set -eu
usage='KEY=<API key> ./download.sh <document> <file>'
document=${1:?$usage} file=${2:?$usage}
: "${KEY:?$usage}"
url=${URL:-http://127.0.0.1:4000/graphql}
part=$file.part

# Reads the headers, draws a bar for the rows on standard error, and passes the lines on.
bar='
  BEGIN { rows = before; is_head = 1 }
  is_head {
    if (tolower($1) == "x-total-count:") total = $2 + 0
    if ($0 == "\r") is_head = 0
    next
  }
  { print; fflush() }
  /^{"[$](cursor|end)"/ || /^{"errors":/ { next }
  {
    rows++
    if (rows % 50 && rows != total) next
    share = total ? rows / total : 0
    if (share > 1) share = 1
    drawn = sprintf("%*s", int(30 * share), ""); gsub(/ /, "#", drawn)
    printf "\r[%-30s] %d of %d rows", drawn, rows, total > "/dev/stderr"
  }'

cuts=0
touch "$part"
while :; do
  # The rows after the last cursor come again.
  last=$(grep -n '^{"$cursor"' "$part" | tail -n 1 || true)
  head -n "${last%%:*}" "$part" > "$part.whole" 2> /dev/null || : > "$part.whole"
  mv "$part.whole" "$part"
  cursor=$(printf '%s' "$last" | sed 's/.*"$cursor":"\([^"]*\)".*/"\1"/')
  before=$(grep -vc '^{"$cursor"' "$part" || true)
  curl --silent --show-error --no-buffer --compressed --include --get "$url" \
    --data-urlencode "query@$document" --data-urlencode "variables={\"after\":${cursor:-null}}" \
    -H "Authorization: $KEY" -H 'Accept: application/jsonl' -H 'Apollo-Require-Preflight: true' |
    awk -v before="$before" "$bar" >> "$part"
  echo >&2
  end=$(tail -n 1 "$part")
  case $end in
    '{"$end":{'*'"complete":true'*) break ;;
    '{"errors":'* | '{"$end":{'*'"retryable":false'*)
      echo "$end" >&2
      rm -f "$part"
      exit 1
      ;;
  esac
  cuts=$((cuts + 1))
  [ "$cuts" -le 5 ] || { echo "The connection breaks off again and again: start $0 again to go on." >&2; exit 1; }
  sleep "$cuts"
done
grep -v '^{"$\(cursor\|end\)"' "$part" > "$file" || true
rm "$part"
