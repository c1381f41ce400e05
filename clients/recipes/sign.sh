#!/usr/bin/env bash
set -euo pipefail
BASE_URL=${BASE_URL:-http://localhost:3000}
: "${API_KEY:?the key, wm_...}" "${SECRET:?its secret, wms_...}"

sha256() { openssl dgst -sha256 -hex | sed 's/^.*= *//'; }

# send METHOD TARGET DIGEST [curl options]: one signed request
send() {
  local now signature
  now=$(date +%s)
  signature=$(printf '%s\n%s\n%s\n%s' "$now" "$1" "$2" "$3" | openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/^.*= *//')
  curl -sS -X "$1" "$BASE_URL$2" -H 'Accept: application/json' \
    -H "X-API-KEY: $API_KEY" -H "X-TIMESTAMP: $now" -H "X-SIGNATURE: $signature" "${@:4}"
  echo
}

# Without a body: the digest of nothing.
send GET /v1/current-plan "$(printf '' | sha256)"

# JSON: the digest of the body, byte for byte as it is sent.
BODY='{"url":"https://example.com/","source":"newsletter","medium":"email","campaign":"spring","content":"button"}'
send POST /v1/generate-utm "$(printf '%s' "$BODY" | sha256)" -H 'Content-Type: application/json' --data-binary "$BODY"

# Multipart: the same fields, in the same order, go to the digest and to curl.
DIGEST=$(
  {
    printf 'feedback\n%s\n' "$(printf '%s' 'It points the way' | sha256)"
    printf 'image\n%s\n' "$(sha256 <picture.png)"
  } | sha256
)
send POST /v1/add-feedback "$DIGEST" --form-string 'feedback=It points the way' -F 'image=@picture.png'
