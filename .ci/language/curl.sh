#!/usr/bin/env bash
# The sandbox from a shell: curl, jq and openssl. Perl listens for the webhook,
# since curl cannot.
#
#	curl.sh sandbox.json     # what "walletfi sandbox --json" printed
set -euo pipefail
info=$1

# of NAME MEMBER: a member of a service. mint SYMBOL: the mint of a token.
of() { jq -er --arg s "$1" --arg m "$2" '.services[] | select(.service == $s and .host == "") | .[$m]' "$info"; }
mint() { jq -er --arg s "$1" '.tokens[] | select(.symbol == $s) | .mint' "$info"; }
wallet=$(jq -er .wallet.address "$info")

fail() { echo "curl: $*" >&2; exit 1; }

# request METHOD URL BODY HEADER...: sends a request, prints the answer, and fails
# if the status is no success.
request() {
  local method=$1 url=$2 body=$3
  shift 3
  local arguments=(--silent --show-error --fail-with-body --request "$method")
  [ -z "$body" ] || arguments+=(--header 'Content-Type: application/json' --data-binary "$body")
  local header
  for header in "$@"; do arguments+=(--header "$header"); done
  curl "${arguments[@]}" "$url"
}

# control METHOD PATH [BODY]: calls the control port.
control() { request "$1" "$(jq -r .control.url "$info")$2" "${3:-}" "Authorization: Bearer $(jq -r .control.token "$info")"; }

lending() { request "$1" "$(of lending url)$2" "${3:-}" "x-api-key: $(of lending key)"; }
swap() { request "$1" "$(of swap url)$2" "${3:-}" "x-api-key: $(of swap key)"; }

# land TRANSACTION: signs with the test wallet, sends to the node, lets a second
# pass, and prints the signature.
land() {
  local signed sent signature
  signed=$(control POST /sign-transaction "{\"transaction\":\"$1\"}")
  signature=$(jq -er .signature <<< "$signed")
  sent=$(request POST "$(of rpc url)" "$(jq -c '{jsonrpc: "2.0", id: 1, method: "sendTransaction", params: [.transaction, {encoding: "base64", preflightCommitment: "confirmed"}]}' <<< "$signed")")
  [ "$(jq -r .result <<< "$sent")" = "$signature" ] || fail "not sent: $sent"
  control POST /advance '{"by":1}' > /dev/null
  control GET "/ledger/transaction-status?signature=$signature" | jq -e '.status | .found and .err == ""' > /dev/null || fail "$signature did not land"
  echo "$signature"
}

deposit() {
  land "$(lending POST /v1/generate.transactions.deposit \
    "{\"owner\":\"$wallet\",\"mintAddress\":\"$(mint USDC)\",\"depositType\":\"regular\",\"amount\":$1}" | jq -er .transaction)"
}

# Sign in, by the code that the service would have sent by email.
accounts=$(of smartaccount url)
request POST "$accounts/auth/email/otp" '{"email":"curl@example.com"}' > /dev/null
code=$(control GET '/smartaccount/one-time-code?email=curl@example.com' | jq -er .code)
token=$(request POST "$accounts/auth/email/verify" "{\"email\":\"curl@example.com\",\"otp\":\"$code\"}" | jq -er .accessToken)
request GET "$accounts/accounts" '' "Authorization: Bearer $token" | jq -e '.total == 0' > /dev/null || fail "accounts of nobody's"

deposit 5000000 > /dev/null
lending GET "/v1/account/$wallet" | jq -e '.totalDeposited >= 5000000' > /dev/null || fail "no deposit"

# Swap. jq writes the quote otherwise than the service did.
quote=$(swap GET "/quote?inputMint=$(mint SOL)&outputMint=$(mint USDC)&amount=1000000000" | jq -cS .)
built=$(swap POST /swap "{\"userPublicKey\":\"$wallet\",\"quoteResponse\":$quote}" | jq -er .swapTransaction)
signature=$(land "$built")
swap GET "/order-status?signature=$signature" | jq -e '.status == "closed"' > /dev/null || fail "the order is open"

# Read the market.
request GET "$(of onchaindata url)/simple/networks/solana/token_price/$(mint SOL)" '' "$(of onchaindata header): $(of onchaindata key)" |
  jq -e --arg mint "$(mint SOL)" '.data.attributes.token_prices[$mint] | tonumber | . > 100 and . < 200' > /dev/null || fail "no price"

# Receive a webhook and verify its signature.
received=$(mktemp -d)
trap 'rm -rf "$received"' EXIT
perl -MIO::Socket::INET -e '
  my $l = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 1) or die $!;
  open my $p, ">", "$ARGV[0]/port.new" or die $!; print $p $l->sockport; close $p; rename "$ARGV[0]/port.new", "$ARGV[0]/port";
  my $c = $l->accept; my ($head, $length) = ("", 0);
  while (my $line = <$c>) { last if $line =~ /^\r?$/; $head .= $line; $length = $1 if $line =~ /^Content-Length: (\d+)/i }
  read $c, my $body, $length;
  print $c "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"; close $c;
  for (["head", $head], ["body", $body]) { open my $f, ">", "$ARGV[0]/$_->[0]" or die $!; print $f $_->[1] }
' "$received" &
receiver=$!
for _ in $(seq 100); do [ -e "$received/port" ] && break; sleep 0.05; done
request POST "$(of webhooks url)/webhooks/rest/v1/webhooks/template/solanaWalletFilter" \
  "{\"name\":\"mine\",\"network\":\"solana-mainnet\",\"templateArgs\":{\"addresses\":[\"$wallet\"]},\"destination_url\":\"http://127.0.0.1:$(cat "$received/port")/hook\"}" \
  "Authorization: Bearer $(of webhooks key)" > /dev/null
deposit 1000000 > /dev/null
wait "$receiver"
header() { grep -i "^$1:" "$received/head" | sed 's/^[^:]*: *//' | tr -d '\r\n'; }
secret=$(control GET /webhooks/secret | jq -er .secret)
sum=$({ header X-Webhook-Nonce; header X-Webhook-Timestamp; cat "$received/body"; } | openssl dgst -sha256 -hmac "$secret" -r | cut -d' ' -f1)
[ "$sum" = "$(header X-Webhook-Signature)" ] || fail "the signature does not hold"
control POST /settle '{"most":5}' > /dev/null
control GET /deliveries | jq -e '.deliveries[-1].landed' > /dev/null || fail "not delivered"

# Two days pass at once.
before=$(control GET /now | jq -er '.time[:10]')
control POST /advance '{"by":172800}' > /dev/null
[ "$(control GET /now | jq -er '.time[:10]')" \> "$before" ] || fail "the clock stands"

# A service fails once.
control POST /fault '{"match":{"service":"lending"},"fault":{"status":503,"times":1}}' > /dev/null
if lending GET /v1/pools > /dev/null 2>&1; then fail "the fault did not hit"; fi
lending GET /v1/pools > /dev/null

control GET /violations | jq -e '.violations == []' > /dev/null || fail "violations: $(control GET /violations)"
echo "curl ok"
