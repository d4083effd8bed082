package deployment_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/lending"
)

// A vendor that calls a mint a token, takes the key in a header of its own, and puts
// each list into "data".
func Example() {
	vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Acme-Key") != "k-123456" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"data": {"pools": [{"token": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "symbol": "USDC", "decimals": 6,
			"protectedApy": 4.25, "boostedApy": 9, "customApy": 6, "coverageRatio": 0.85, "availableCapacity": 2500000,
			"totalDeposited": 0, "protectedDeposits": 0, "boostedDeposits": 0, "protocols": []}]}}`)
	}))
	defer vendor.Close()

	acme := &deployment.Deployment{Name: "acme", Services: map[string]deployment.Service{
		"lending": {
			Auth:  []deployment.Place{{In: deployment.InHeader, Name: "X-Acme-Key"}},
			Words: deployment.Words{Keys: map[string]string{"mint": "token"}},
			Operations: map[string]deployment.Operation{
				"GET /v1/pools": {Answer: []deployment.Step{{Unwrap: "data"}}},
			},
		},
	}}
	client, err := lending.New(lending.Config{
		BaseURL: vendor.URL, APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Deployment: acme},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	pools, err := client.ListPools(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pools.Items[0].Symbol, pools.Items[0].Mint)
	// Output:
	// USDC EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
}

// A mistake is named by file, line and word.
func ExampleParse() {
	_, err := deployment.Parse("acme.json", []byte(`{
  "services": {
    "lending": {
      "keys": {"mimt": "token"}
    }
  }
}`))
	var mistake *deployment.Error
	if errors.As(err, &mistake) {
		fmt.Println(mistake.Line, mistake.Path)
		fmt.Println(mistake.Problem)
	}
	// Output:
	// 4 services.lending.keys.mimt
	// lending has no member of this name; do you mean mint?
}

// A skeleton is read as the documentation, until a line of it is changed.
func ExampleSkeleton() {
	text, err := deployment.Skeleton("swap", "amm")
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := deployment.Parse("skeleton.json", text)
	fmt.Println(d.Name, len(d.Services), err)
	// Output:
	// vendor 2 <nil>
}
