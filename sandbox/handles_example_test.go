package sandbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/walletfi/walletfi-go/sandbox"
)

// open is a sandbox whose clock moves by Advance alone.
func open() *sandbox.Sandbox {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true, Shape: 1})
	if err != nil {
		log.Fatal(err)
	}
	return s
}

// call sends a request and returns the status and the body.
func call(method, url, body string, headers ...string) (int, string) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()
	return response.StatusCode, string(bytes.TrimSpace(raw))
}

// FundWallet and FundToken create money on the ledger.
func ExampleLedgerHandle() {
	s := open()
	defer s.Close()
	if err := s.Ledger().FundToken(s.WalletAddress(), s.Mint("USDT"), 25_000_000); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Ledger().TokenBalance(s.WalletAddress(), s.Mint("USDT")))
	// Output: 25000000
}

// Every service prices by the market.
func ExampleMarketHandle() {
	s := open()
	defer s.Close()
	if err := s.Market().SetPrice(s.Mint("SOL"), 75_000_000); err != nil {
		log.Fatal(err)
	}
	_, body := call("GET", s.URL(sandbox.Leverage)+"/api/v1/tokens?search=sol", "")
	fmt.Println(strings.Contains(body, `"priceUsd":"75"`))
	// Output: true
}

// A protocol that fails pays the deposits back; a wallet without deposits has
// nothing to lose.
func ExampleLendingHandle() {
	s := open()
	defer s.Close()
	s.Lending().SetWebhook("http://127.0.0.1:1/events")
	fmt.Println(s.Lending().FailProtocol("nobody", s.Mint("USDC")))
	// Output: sandbox: nobody has deposited nothing
}

// The code that the service would send by email.
func ExampleSmartAccountHandle() {
	s := open()
	defer s.Close()
	call("POST", s.URL(sandbox.SmartAccount)+"/auth/email/otp", `{"email":"a@example.com"}`)
	fmt.Println(len(s.SmartAccount().OneTimeCode("a@example.com")))
	access, refresh := s.SmartAccount().SignIn("a@example.com")
	fmt.Println(access != "", refresh != "")
	// Output:
	// 6
	// true true
}

// The WebSocket has a listener of its own.
func ExamplePredictMetaHandle() {
	s := open()
	defer s.Close()
	conn, _, err := websocket.DefaultDialer.Dial(s.PredictMeta().WSURL()+"/ws", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	fmt.Println(len(s.PredictMeta().Feed().Subscriptions()))
	// Output: 0
}

// What the WebSocket wrote is kept from Record on.
func ExampleFeedHandle() {
	s := open()
	defer s.Close()
	feed := s.PredictMeta().Feed()
	feed.Record()
	conn, _, err := websocket.DefaultDialer.Dial(s.PredictMeta().WSURL()+"/ws", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	if err := conn.WriteMessage(websocket.TextMessage, []byte(`{"action":"subscribe","channel":"trades","ticker":"none"}`)); err != nil {
		log.Fatal(err)
	}
	_, text, err := conn.ReadMessage()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(feed.Log()[0].Text == string(text), len(feed.Subscriptions()))
	// Output: true 0
}

// A service that still starts answers 503.
func ExampleSwapHandle() {
	s := open()
	defer s.Close()
	s.Swap().SetInitializing(true)
	fmt.Println(call("GET", s.URL(sandbox.Swap)+"/tokens", ""))
	// Output: 503 {"error":"system initializing"}
}

// The lists of pools and prices are on a host of their own.
func ExampleAMMHandle() {
	s := open()
	defer s.Close()
	status, _ := call("GET", s.AMM().DataURL()+"/mint/list", "")
	fmt.Println(status, s.AMM().DataURL() != s.URL(sandbox.AMM))
	// Output: 200 true
}

// Errors come in one form.
func ExampleProviderSwapHandle() {
	s := open()
	defer s.Close()
	s.ProviderSwap().SetErrors(sandbox.ProviderSwapErrorsJSON)
	fmt.Println(call("GET", s.URL(sandbox.ProviderSwap)+"/api/v1/fee/custom", "", "X-Api-Key", "wrong"))
	fmt.Println(len(s.ProviderSwap().Providers()))
	// Output:
	// 401 {"error":"the key is not valid"}
	// 10
}

// Accounts to close.
func ExampleBurnCloseHandle() {
	s := open()
	defer s.Close()
	addresses, err := s.BurnClose().OpenEmptyAccounts(s.WalletAddress(), 3)
	if err != nil {
		log.Fatal(err)
	}
	account, ok := s.Ledger().TokenAccount(addresses[0])
	fmt.Println(len(addresses), ok, account.Amount)
	// Output: 3 true 0
}

// The pro tier has a base URL and a header of its own.
func ExampleOnchainDataHandle() {
	s := open()
	defer s.Close()
	status, _ := call("GET", s.OnchainData().ProURL()+"/networks", "", "X-Pro-Api-Key", s.APIKey(sandbox.OnchainData))
	fmt.Println(status)
	// Output: 200
}

// A post that a test wants to be found.
func ExampleSocialSearchHandle() {
	s := open()
	defer s.Close()
	if _, err := s.SocialSearch().AddPost(sandbox.SocialPost{Author: "tester", Text: "gm $WIF"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.SocialSearch().Usage().Cost())
	// Output: 0
}

// A receiver gets what the service signs.
func ExampleWebhooksHandle() {
	s := open()
	defer s.Close()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(len(r.Header.Get("X-Webhook-Signature")))
	}))
	defer receiver.Close()
	_, body := call("POST", s.URL(sandbox.Webhooks)+"/webhooks/rest/v1/webhooks/template/"+sandbox.LedgerWalletFilter,
		fmt.Sprintf(`{"name":"mine","network":"solana-mainnet","templateArgs":{"addresses":[%q]},"destination_url":%q}`, s.WalletAddress(), receiver.URL),
		"Authorization", "Bearer "+s.APIKey(sandbox.Webhooks))
	var webhook struct{ ID string }
	if err := json.Unmarshal([]byte(body), &webhook); err != nil {
		log.Fatal(err)
	}
	if err := s.Webhooks().Deliver(webhook.ID, []byte(`{}`)); err != nil {
		log.Fatal(err)
	}
	sandbox.Settle(s, time.Second)
	// Output: 64
}
