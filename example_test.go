package walletfi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
)

// service answers a deposit of the mint M1 and refuses any other, so that the
// example runs anywhere.
func service() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var deposit struct{ MintAddress string }
		if json.NewDecoder(r.Body).Decode(&deposit) != nil || deposit.MintAddress != "M1" {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error": {"code": "CAPACITY_EXCEEDED", "message": "the pool is full", "requestId": "req-7"}}`)
			return
		}
		io.WriteString(w, `{"transaction": "AQID", "lastValidBlockHeight": 312, "blockhash": "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"}`)
	}))
}

// A client builds a transaction; its Unsigned goes to wallet.Execute, which
// guards, signs, submits and confirms it. Errors answer to the sentinels of this
// package, and to the error type of the service for what only it knows.
func Example() {
	server := service()
	defer server.Close()
	client, err := lending.New(lending.Config{BaseURL: server.URL, APIKey: walletfi.NewSecret("my-key")})
	if err != nil {
		fmt.Println(err)
		return
	}
	amount, err := walletfi.ParseAmount("25.5", 6)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, mint := range []string{"M1", "M2"} {
		built, err := client.BuildDeposit(context.Background(), lending.DepositRequest{
			Owner: "W1", Mint: mint, DepositType: lending.DepositProtected, Amount: amount,
		})
		if refusal, ok := errors.AsType[*lending.Error](err); ok {
			fmt.Println(refusal.Code, errors.Is(err, walletfi.ErrRejected))
			continue
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		unsigned := built.Unsigned()
		fmt.Println("may spend", unsigned.Intent.Spend[0].Amount, "until block", unsigned.LastValidBlockHeight)
	}
	// Output:
	// may spend 25500000 until block 312
	// CAPACITY_EXCEEDED true
}

func ExampleParseAmount() {
	amount, err := walletfi.ParseAmount("1.5", 6)
	fmt.Println(amount, amount.UI(6), err)

	_, err = walletfi.ParseAmount("0.0000001", 6)
	fmt.Println(err, errors.Is(err, walletfi.ErrInvalidRequest))
	// Output:
	// 1500000 1.5 <nil>
	// invalid request: amount: "0.0000001" has more than 6 decimals true
}

func ExampleSecret() {
	key := walletfi.NewSecret("k-123")
	fmt.Printf("%v %+v %q\n", key, struct{ k walletfi.Secret }{key}.k, key)
	fmt.Println(key.Reveal())
	// Output:
	// [secret] [secret] [secret]
	// k-123
}
