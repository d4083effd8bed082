package sandbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox"
)

// Programs in any language call the sandbox like the services themselves.
func Example() {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	request, _ := http.NewRequest("GET", s.URL(sandbox.Lending)+"/v1/pools", nil)
	request.Header.Set("x-api-key", s.APIKey(sandbox.Lending))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	var answer struct {
		Pools []struct {
			Symbol       string  `json:"symbol"`
			ProtectedAPY float64 `json:"protectedApy"`
		} `json:"pools"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Pools[0].Symbol, answer.Pools[0].ProtectedAPY)

	height := s.Ledger().BlockHeight()
	s.Advance(time.Minute)
	fmt.Println(s.Ledger().BlockHeight()-height, "blocks later")
	// Output:
	// USDC 6.25
	// 150 blocks later
}

// The sandbox refuses a client's mistake. A test can list the mistakes at its
// end.
func ExampleSandbox_Violations() {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	body := strings.NewReader(`{"referrer": "me", "refferalCode": "friends"}`)
	request, _ := http.NewRequest("POST", s.URL(sandbox.Lending)+"/v1/referrer/initialize", body)
	request.Header.Set("x-api-key", s.APIKey(sandbox.Lending))
	request.Header.Set("content-type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	response.Body.Close()
	fmt.Println(response.StatusCode)
	for _, v := range s.Violations() {
		fmt.Println(v)
	}
	// Output:
	// 400
	// lending POST /v1/referrer/initialize: field referrer is no address
	// lending POST /v1/referrer/initialize: unknown field refferalCode
}

// Any number of sandboxes go on from where one is, each by itself.
func ExampleSnapshot() {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	s.Advance(time.Hour)
	snapshot, err := sandbox.Snapshot(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, microUSD := range []uint64{90_000_000, 210_000_000} {
		other, err := sandbox.Start(sandbox.Config{Snapshot: snapshot})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(other.Now().Format(time.TimeOnly), other.Market().SetPrice(other.Mint("SOL"), microUSD))
		other.Close()
	}

	s.Advance(time.Hour)
	fmt.Println(sandbox.Restore(s, snapshot), s.Now().Format(time.TimeOnly))
	// Output:
	// 01:00:00 <nil>
	// 01:00:00 <nil>
	// <nil> 01:00:00
}
