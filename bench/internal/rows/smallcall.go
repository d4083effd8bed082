package rows

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/go-resty/resty/v2"
	"github.com/google/go-github/v74/github"
	"github.com/openai/openai-go"
	"github.com/openai/openai-go/option"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/bench/internal/turns"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/ratelimit"
)

const (
	owner  = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
	target = "/v1/account/" + owner
)

//go:embed testdata/account.json
var account []byte

//go:embed testdata/rates.json
var rates []byte

// getAccount makes one request and returns the decoded answer.
type getAccount func(context.Context) (*lending.Account, error)

// accountCalls are the clients that are compared, ours first, then by hand.
func accountCalls(transport http.RoundTripper, base string) ([]string, map[string]getAccount, error) {
	ours, err := walletfiCall(transport, base)
	if err != nil {
		return nil, nil, err
	}
	github, err := githubCall(transport, base)
	if err != nil {
		return nil, nil, err
	}
	return []string{"walletfi", "net/http by hand", "resty", "go-github", "openai-go"}, map[string]getAccount{
		"walletfi": ours, "net/http by hand": handCall(transport, base), "resty": restyCall(transport, base),
		"go-github": github, "openai-go": openaiCall(transport, base),
	}, nil
}

func handCall(transport http.RoundTripper, base string) getAccount {
	client := handClient(transport)
	return func(ctx context.Context) (*lending.Account, error) {
		v := new(lending.Account)
		return v, byHand(ctx, client, base+target, func(b []byte) error { return json.Unmarshal(b, v) })
	}
}

// walletfiCall makes a client whose budgets are never used up. Without a transport it has that of all clients.
func walletfiCall(transport http.RoundTripper, base string) (getAccount, error) {
	options := walletfi.Options{Limiter: unlimited}
	if transport != nil {
		options.HTTPClient = &http.Client{Transport: transport}
	}
	client, err := lending.New(lending.Config{BaseURL: base, APIKey: walletfi.NewSecret(key), Options: options})
	return func(ctx context.Context) (*lending.Account, error) { return client.GetAccount(ctx, owner) }, err
}

// unlimited is as many budgets as the service has.
func unlimited(ratelimit.Scope) ratelimit.Limiter {
	const most = 1 << 30
	return ratelimit.New(
		ratelimit.Budget{Requests: most, Per: 24 * time.Hour}, ratelimit.Budget{Requests: most, Per: time.Minute},
	)
}

func restyCall(transport http.RoundTripper, base string) getAccount {
	client := resty.New().SetTransport(transport).SetTimeout(30*time.Second).SetBaseURL(base).
		SetHeader("X-Api-Key", key).SetHeader("Accept", "application/json")
	return func(ctx context.Context) (*lending.Account, error) {
		v := new(lending.Account)
		r, err := client.R().SetContext(ctx).SetResult(v).Get(target)
		if err == nil && r.StatusCode() != http.StatusOK {
			err = fmt.Errorf("HTTP %d", r.StatusCode())
		}
		return v, err
	}
}

func githubCall(transport http.RoundTripper, base string) (getAccount, error) {
	client, err := github.NewClient(handClient(transport)).WithAuthToken(key).WithEnterpriseURLs(base, base)
	if err != nil {
		return nil, err
	}
	client.BaseURL.Path = "/"
	return func(ctx context.Context) (*lending.Account, error) {
		r, err := client.NewRequest(http.MethodGet, target[1:], nil)
		if err != nil {
			return nil, err
		}
		v := new(lending.Account)
		_, err = client.Do(ctx, r, v)
		return v, err
	}, nil
}

func openaiCall(transport http.RoundTripper, base string) getAccount {
	client := openai.NewClient(option.WithBaseURL(base), option.WithAPIKey(key),
		option.WithHTTPClient(handClient(transport)))
	return func(ctx context.Context) (*lending.Account, error) {
		v := new(lending.Account)
		return v, client.Get(ctx, target[1:], nil, v)
	}
}

func calls() []Row {
	return []Row{
		{Group: "Calls", Name: "small call (GetAccount)", Unit: "x net/http by hand", Goal: 1,
			Bound: 1.2, Measure: smallCall},
		{Group: "Calls", Name: "small call, read by reflection (GetRates)", Unit: "x net/http by hand", Goal: 1,
			Bound: 1.35, Measure: reflectedCall,
			Why: "A call waits for its slot, keeps count of the quota and proves its answer, which a call by hand does not; " +
				"both decode with encoding/json."},
		{Group: "Calls", Name: "TLS, 64 goroutines, from a cold start", Unit: "x net/http by hand", Goal: 1.02, Bound: 1.5,
			Unheld: true, Measure: overTLS},
	}
}

func smallCall(e Effort) (Figure, error) {
	names, all, err := accountCalls(memory{account}, base)
	if err != nil {
		return Figure{}, err
	}
	var contenders []turns.Contender
	for _, name := range names {
		call := all[name]
		contenders = append(contenders, by(name, func() error { return answered(call) }))
	}
	return overSecond(turns.Run(e.plan(), contenders...))
}

// reflectedCall is a call whose answer has no decoder of its own, as most have none:
// what remains is the pipeline.
func reflectedCall(e Effort) (Figure, error) {
	m := memory{rates}
	client, err := lending.New(lending.Config{
		BaseURL: base, APIKey: walletfi.NewSecret(key),
		Options: walletfi.Options{Limiter: unlimited, HTTPClient: &http.Client{Transport: m}},
	})
	if err != nil {
		return Figure{}, err
	}
	ctx, hand := context.Background(), handClient(m)
	held := func(v *lending.Rates, err error) error {
		return orWant(err, func() error { return want(len(v.Rates) == 3, "%d points", len(v.Rates)) })
	}
	return overSecond(turns.Run(e.plan(),
		by("walletfi", func() error { return held(client.GetRates(ctx, lending.RatesRequest{})) }),
		by("net/http by hand", func() error {
			v := new(lending.Rates)
			return held(v, byHand(ctx, hand, base+"/v1/rates", func(b []byte) error { return json.Unmarshal(b, v) }))
		})))
}

// answered makes a call and looks at the answer.
func answered(call getAccount) error {
	got, err := call(context.Background())
	return orWant(err, func() error { return want(len(got.Positions) == 2, "%d positions", len(got.Positions)) })
}
