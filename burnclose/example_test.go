package burnclose_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/mr-tron/base58"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
)

const (
	exampleOwner = "4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS"
	exampleDust  = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"
)

// exampleService answers like the service, so that the examples run anywhere.
func exampleService() *httptest.Server {
	built := base58.Encode([]byte("a transaction"))
	landed := base58.Encode([]byte(strings.Repeat("s", 64)))
	polls := 0
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/burn":
			fmt.Fprintf(w, `{"serializedTransaction": %q, "reclaimedLamports": 2039280, "operationType": "burn"}`, built)
		case "/batch/close-all":
			if polls++; polls > 2 {
				io.WriteString(w, `{"transactions": [], "accountsClosed": 0}`)
				return
			}
			fmt.Fprintf(w, `{"transactions": [%q], "accountsClosed": 20}`, built)
		case "/transactions/status":
			fmt.Fprintf(w, `{"signature": %q, "found": true, "status": {"slot": 7, "err": null, "confirmationStatus": "finalized"}}`, landed)
		}
	}))
}

func Example() {
	server := exampleService()
	defer server.Close()
	client, err := burnclose.New(burnclose.Config{BaseURL: server.URL, APIKey: walletfi.NewSecret("my-key")})
	if err != nil {
		fmt.Println(err)
		return
	}
	burn, err := client.BuildBurn(context.Background(), burnclose.BurnRequest{
		Owner: exampleOwner, AssetID: exampleDust, BurnAmount: new(walletfi.Amount(1500)),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("reclaims", burn.Lamports.UI(9), "SOL")
	fmt.Println("may burn", burn.Unsigned().Intent.Burn[0].Amount)
	// Output:
	// reclaims 0.00203928 SOL
	// may burn 1500
}

func ExampleClient_CloseAll() {
	server := exampleService()
	defer server.Close()
	client, err := burnclose.New(burnclose.Config{BaseURL: server.URL, APIKey: walletfi.NewSecret("my-key")})
	if err != nil {
		fmt.Println(err)
		return
	}
	// A real step checks, signs, submits and confirms, as wallet.Execute does.
	step := func(_ context.Context, built *burnclose.CloseAllTransactions) (int, error) {
		return len(built.Transactions), nil
	}
	for round, err := range client.CloseAll(context.Background(), burnclose.CloseAllRequest{Owner: exampleOwner}, step) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("closed", round.Built.AccountsClosed, "accounts")
	}
	// Output:
	// closed 20 accounts
	// closed 20 accounts
}

func ExampleClient_WaitConfirmed() {
	server := exampleService()
	defer server.Close()
	client, err := burnclose.New(burnclose.Config{BaseURL: server.URL, APIKey: walletfi.NewSecret("my-key")})
	if err != nil {
		fmt.Println(err)
		return
	}
	status, err := client.WaitConfirmed(context.Background(), burnclose.WaitRequest{
		Signature: base58.Encode([]byte(strings.Repeat("s", 64))),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(status.Commitment, "in slot", status.Slot)
	// Output: finalized in slot 7
}
