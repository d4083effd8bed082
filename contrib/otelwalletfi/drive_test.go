package otelwalletfi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/webhooks"
)

// drive does on a sandbox what the observer is told of. It returns what no span and no
// metric may show: every credential, query and address of the run.
func drive(t *testing.T, o observe.Observer) (secrets []string) {
	t.Helper()
	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true})
	require.NoError(t, err)
	defer s.Close()
	client := &http.Client{Transport: &http.Transport{}, Timeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	d := &driver{t: t, s: s, options: walletfi.Options{
		Observer: o, HTTPClient: client,
		Retry: walletfi.RetryPolicy{MinWait: time.Millisecond, MaxWait: 5 * time.Millisecond},
	}}
	d.know(s.WalletAddress(), s.Mint("USDC"), s.Webhooks().Secret(), "canary")
	for _, service := range sandbox.Services() {
		if key := s.APIKey(service); key != "" {
			d.know(key)
		}
	}
	d.tokens()
	d.wallet()
	d.unsettled()
	o.Observe(t.Context(), observe.Door{Name: "*rpcnode.Client 2", Trials: 64}) // it takes 1,024 transactions of a wallet
	d.feed()
	d.webhooks()
	d.spend()
	d.drift()
	return d.secrets
}

type driver struct {
	t       *testing.T
	s       *sandbox.Sandbox
	options walletfi.Options
	lending *lending.Client
	node    *rpcnode.Client
	secrets []string
}

func (d *driver) know(secrets ...string) { d.secrets = append(d.secrets, secrets...) }

// tokens signs in with a refresh token alone, so that the first call refreshes.
func (d *driver) tokens() {
	access, refresh := d.s.SmartAccount().SignIn("canary@example.com")
	d.know(access, refresh)
	c, err := smartaccount.New(smartaccount.Config{
		BaseURL: d.s.URL(sandbox.SmartAccount), Token: walletfi.Token{Refresh: walletfi.NewSecret(refresh)}, Options: d.options,
	})
	require.NoError(d.t, err)
	_, err = c.CreateAccount(d.t.Context(), smartaccount.CreateAccountRequest{Name: "canary", Type: smartaccount.AccountPersonal})
	require.NoError(d.t, err)
}

func (d *driver) deposit() walletfi.Unsigned {
	built, err := d.lending.BuildDeposit(d.t.Context(), lending.DepositRequest{
		Owner: d.s.WalletAddress(), Mint: d.s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 1_000_000,
	})
	require.NoError(d.t, err)
	return built.Unsigned()
}

// wallet builds under a limit and after a 503, has the guard refuse an attack, and
// executes what is honest.
func (d *driver) wallet() {
	t, s := d.t, d.s
	options := d.options
	slow := ratelimit.New(ratelimit.Budget{Requests: 2, Per: 300 * time.Millisecond})
	options.Limiter = func(ratelimit.Scope) ratelimit.Limiter { return slow }
	var err error
	d.lending, err = lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: options,
	})
	require.NoError(t, err)
	d.node, err = rpcnode.New(rpcnode.Config{
		URL: walletfi.NewSecret(s.URL(sandbox.RPC)), HTTPClient: d.options.HTTPClient, Observer: d.options.Observer,
		Header: map[string]walletfi.Secret{"X-Canary": walletfi.NewSecret("canary-header")},
	})
	require.NoError(t, err)
	w := d.newWallet(d.node)
	defer w.Close()

	remove := s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Status: 503, Times: 1})
	honest := d.deposit()
	remove()
	result, err := w.Execute(t.Context(), honest, wallet.ExecuteOptions{Key: "canary order"})
	require.NoError(t, err)
	d.know(result.Signatures()...)

	d.place()

	thief, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	d.know(thief.PublicKey().String())
	drain, err := sandbox.Drain(s, thief.PublicKey().String())
	require.NoError(t, err)
	s.Attack(drain)
	attacked := d.deposit()
	s.Attack(nil)
	_, err = w.Execute(t.Context(), attacked, wallet.ExecuteOptions{})
	require.ErrorIs(t, err, signing.ErrRefused)
}

// prices are a fee market.
type prices []uint64

func (p prices) RecentFees(context.Context, []string) (walletfi.RecentFees, error) {
	return walletfi.RecentFees{Prices: p}, nil
}

// place lands an order at the market's price.
func (d *driver) place() {
	w := d.newWallet(d.node, func(c *wallet.Config) {
		c.Fees, c.FeeReader = walletfi.FeePolicy{Percentile: 50, MaxPerTransaction: 100_000}, prices{10_000, 20_000, 1 << 40}
	})
	defer w.Close()
	placed, err := w.Place(d.t.Context(), wallet.OrderFunc(func(context.Context) (walletfi.Unsigned, error) {
		return d.deposit(), nil
	}), wallet.PlaceOptions{Key: "canary place"})
	require.NoError(d.t, err)
	d.know(placed.Result.Signatures()...)
}

func (d *driver) newWallet(node *rpcnode.Client, change ...func(*wallet.Config)) *wallet.Wallet {
	key, err := signing.NewLocalKey(d.s.Wallet())
	require.NoError(d.t, err)
	pin, err := signing.ParsePublicKey(d.s.ProgramID(sandbox.Lending))
	require.NoError(d.t, err)
	cfg := wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{Pins: map[string][]signing.PublicKey{"lending": {pin}}, AllowBlind: []string{"lending"}}),
		Submitter: node, Confirmer: node, Heights: node, Observer: d.options.Observer,
		PollEvery: 20 * time.Millisecond, ResendEvery: 30 * time.Millisecond,
	}
	for _, c := range change {
		c(&cfg)
	}
	w, err := wallet.New(cfg)
	require.NoError(d.t, err)
	return w
}

// unsettled sends while no node tells a status.
func (d *driver) unsettled() {
	remove := d.s.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: "getSignatureStatuses"}, sandbox.Fault{Status: 503})
	defer remove()
	w := d.newWallet(d.node)
	defer w.Close()
	built := d.deposit()
	ctx, cancel := context.WithTimeout(d.t.Context(), 400*time.Millisecond)
	defer cancel()
	_, err := w.Execute(ctx, built, wallet.ExecuteOptions{})
	require.ErrorIs(d.t, err, walletfi.ErrOutcomeUnknown)
}

// feed is cut once, and read too slowly.
func (d *driver) feed() {
	t := d.t
	c, err := predictmeta.New(predictmeta.Config{
		BaseURL: d.s.URL(sandbox.PredictMeta), WebSocketURL: d.s.PredictMeta().WSURL(),
		APIKey: walletfi.NewSecret(d.s.APIKey(sandbox.PredictMeta)), Options: d.options,
	})
	require.NoError(t, err)
	stream, err := c.Stream(t.Context(), predictmeta.StreamRequest{QueueLen: 8, MinBackoff: time.Millisecond, MaxBackoff: time.Millisecond})
	require.NoError(t, err)
	defer stream.Close()
	_, err = stream.Recv(t.Context())
	require.NoError(t, err)
	feed := d.s.PredictMeta().Feed()
	until := func(kind string, before func()) {
		deadline := time.Now().Add(20 * time.Second)
		for {
			before()
			event, err := stream.Recv(t.Context())
			require.NoError(t, err)
			if fmt.Sprintf("%T", event) == kind {
				return
			}
			require.True(t, time.Now().Before(deadline), "no %s", kind)
		}
	}
	until("*predictmeta.Dropped", func() {
		for i := range 20 {
			feed.Push(fmt.Sprintf(`{"type":"trade","ticker":"CANARY","price":0.5,"quantity":%d,"side":"buy","timestamp":1767225600}`, i))
		}
	})
	feed.Drop()
	until("*predictmeta.Gap", func() {})
}

// webhooks receives what is handled, comes twice, fails until it is dead, and is
// forged.
func (d *driver) webhooks() {
	t := d.t
	secret := walletfi.NewSecret(d.s.Webhooks().Secret())
	fails := errors.New("canary: the database is down")
	broken := false
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{secret}}, Observer: d.options.Observer,
		Handler: func(context.Context, *webhooks.Delivery) error {
			if broken {
				return fails
			}
			return nil
		},
		MaxFailures: 2, DeadLetter: func(context.Context, *webhooks.Delivery, error) error { return nil },
	})
	require.NoError(t, err)
	signer := webhooks.DeliverySigner{Secret: secret}
	get := func(request *http.Request) int {
		answer := httptest.NewRecorder()
		receiver.ServeHTTP(answer, request)
		return answer.Code
	}
	const url = "http://bot/canary-hooks"
	body := func(n int) []byte { return fmt.Appendf(nil, `{"webhookId":"canary","n":%d}`, n) }
	require.Equal(t, 200, get(signer.Request(url, body(1))))
	require.Equal(t, 200, get(signer.Request(url, body(1))))
	require.Equal(t, 401, get(signer.Tampered(url, body(2))))
	broken = true
	require.Equal(t, 500, get(signer.Request(url, body(3))))
	require.Equal(t, 200, get(signer.Request(url, body(3))), "dead")
}

// spend reads posts that cost.
// drift is told of a member that nobody documented.
func (d *driver) drift() {
	remove := d.s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Body: []byte(`{"pools":[],"canarymember":"canaryvalue"}`), Times: 1})
	defer remove()
	_, err := d.lending.ListPools(d.t.Context())
	require.NoError(d.t, err)
}

func (d *driver) spend() {
	meter, err := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: 1_000_000})
	require.NoError(d.t, err)
	c, err := socialsearch.New(socialsearch.Config{
		BaseURL: d.s.URL(sandbox.SocialSearch), BearerToken: walletfi.NewSecret(d.s.APIKey(sandbox.SocialSearch)),
		TokenKind: socialsearch.TokenApp, Spend: meter, Options: d.options,
	})
	require.NoError(d.t, err)
	_, err = c.SearchRecent(d.t.Context(), socialsearch.SearchRequest{Query: socialsearch.NewQuery(socialsearch.Keyword("canaryquery"), socialsearch.Cashtag("SOL").Not())})
	require.NoError(d.t, err)
	_, err = c.SearchRecent(d.t.Context(), socialsearch.SearchRequest{Query: socialsearch.NewQuery(socialsearch.Cashtag("SOL"))})
	require.NoError(d.t, err)
}
