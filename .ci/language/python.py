"""The sandbox from Python, with nothing but the standard library.

    python3 python.py sandbox.json     # what "walletfi sandbox --json" printed
"""

import hashlib
import hmac
import http.server
import json
import queue
import sys
import threading
import urllib.error
import urllib.request

with open(sys.argv[1]) as f:
    info = json.load(f)
service = {s["service"]: s for s in info["services"] if s["host"] == ""}
mint = {t["symbol"]: t["mint"] for t in info["tokens"]}
wallet = info["wallet"]["address"]


def request(method, url, body=None, headers=None):
    """Sends a request. Returns the status and the decoded answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = dict(headers or {})
    if data is not None:
        headers["Content-Type"] = "application/json"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def call(name, method, path, body=None, token=None):
    """Calls a service. Returns the answer of a success."""
    s = service[name]
    headers = {}
    if token or s["header"] == "Authorization":
        headers["Authorization"] = "Bearer " + (token or s["key"])
    elif s["key"]:
        headers[s["header"]] = s["key"]
    if name == "smartaccount" and not token:
        headers = {}
    status, answer = request(method, s["url"] + path, body, headers)
    assert 200 <= status < 300, (name, path, status, answer)
    return answer


def control(method, path, body=None):
    """Calls the control port."""
    c = info["control"]
    status, answer = request(method, c["url"] + path, body, {"Authorization": "Bearer " + c["token"]})
    assert status == 200, (path, status, answer)
    return answer


def land(transaction):
    """Signs with the test wallet, sends to the node, and lets a second pass."""
    signed = control("POST", "/sign-transaction", {"transaction": transaction})
    sent = call("rpc", "POST", "", {
        "jsonrpc": "2.0", "id": 1, "method": "sendTransaction",
        "params": [signed["transaction"], {"encoding": "base64", "preflightCommitment": "confirmed"}],
    })
    assert sent.get("result") == signed["signature"], sent
    control("POST", "/advance", {"by": 1})
    status = control("GET", "/ledger/transaction-status?signature=" + signed["signature"])["status"]
    assert status["found"] and status["err"] == "", status
    return signed["signature"]


# Sign in, by the code that the service would have sent by email.
call("smartaccount", "POST", "/auth/email/otp", {"email": "python@example.com"})
code = control("GET", "/smartaccount/one-time-code?email=python@example.com")["code"]
tokens = call("smartaccount", "POST", "/auth/email/verify", {"email": "python@example.com", "otp": code})
accounts = call("smartaccount", "GET", "/accounts", token=tokens["accessToken"])
assert accounts["total"] == 0, accounts

# Deposit.
built = call("lending", "POST", "/v1/generate.transactions.deposit", {
    "owner": wallet, "mintAddress": mint["USDC"], "depositType": "regular", "amount": 5_000_000,
})
land(built["transaction"])
held = call("lending", "GET", "/v1/account/" + wallet)
assert held["totalDeposited"] >= 5_000_000, held

# Swap. json.dumps writes the quote otherwise than the service did.
pair = "/quote?inputMint=%s&outputMint=%s&amount=1000000000" % (mint["SOL"], mint["USDC"])
quote = call("swap", "GET", pair)
swap = call("swap", "POST", "/swap", {"userPublicKey": wallet, "quoteResponse": quote})
signature = land(swap["swapTransaction"])
order = call("swap", "GET", "/order-status?signature=" + signature)
assert order["status"] == "closed", order

# Read the market.
prices = call("onchaindata", "GET", "/simple/networks/solana/token_price/" + mint["SOL"])
price = float(prices["data"]["attributes"]["token_prices"][mint["SOL"]])
assert 100 < price < 200, prices

# Receive a webhook and verify its signature.
received = queue.Queue()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        received.put((self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
call("webhooks", "POST", "/webhooks/rest/v1/webhooks/template/solanaWalletFilter", {
    "name": "mine", "network": "solana-mainnet", "templateArgs": {"addresses": [wallet]},
    "destination_url": "http://127.0.0.1:%d/hook" % server.server_port,
})
built = call("lending", "POST", "/v1/generate.transactions.deposit", {
    "owner": wallet, "mintAddress": mint["USDC"], "depositType": "regular", "amount": 1_000_000,
})
land(built["transaction"])
headers, body = received.get(timeout=10)
secret = control("GET", "/webhooks/secret")["secret"]
text = (headers["X-Webhook-Nonce"] + headers["X-Webhook-Timestamp"]).encode() + body
expected = hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
assert hmac.compare_digest(expected, headers["X-Webhook-Signature"]), "the signature does not hold"
control("POST", "/settle", {"most": 5})
assert control("GET", "/deliveries")["deliveries"][-1]["landed"]

# Two days pass at once.
before = control("GET", "/now")["time"]
control("POST", "/advance", {"by": 48 * 3600})
assert control("GET", "/now")["time"][:10] > before[:10]

# A service fails once.
control("POST", "/fault", {"match": {"service": "lending"}, "fault": {"status": 503, "times": 1}})
pools = [request("GET", service["lending"]["url"] + "/v1/pools", headers={"x-api-key": service["lending"]["key"]})[0] for _ in range(2)]
assert pools == [503, 200], pools

violations = control("GET", "/violations")["violations"]
assert violations == [], violations
server.shutdown()
print("python ok")
