package e2e

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// hookDestination is a user's server with a receiver.
type hookDestination struct {
	sandbox *sandbox.Sandbox
	server  *httptest.Server
	down    atomic.Bool // answers 503 before the receiver sees anything

	mu   sync.Mutex
	got  []*webhooks.Delivery
	dead []*webhooks.Delivery
	err  error // of the handler
}

// newHookDestination starts a sandbox by its own clock and a receiver that goes by
// the same.
func newHookDestination(t *testing.T) *hookDestination { return newHookDestinationUnder(t, nil) }

// newHookDestinationUnder is newHookDestination for a deployment.
func newHookDestinationUnder(t *testing.T, live *deployment.Deployment) *hookDestination {
	d := &hookDestination{}
	mux := http.NewServeMux()
	d.server = httptest.NewTLSServer(mux)
	t.Cleanup(d.server.Close)
	d.sandbox = flows.Start(t, sandbox.Config{ManualClock: true, WebhookClient: d.server.Client(), Deployment: live})
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Deployment: live,
		Verifier:   webhooks.Verifier{Secrets: []walletfi.Secret{walletfi.NewSecret(d.sandbox.Webhooks().Secret())}, Now: d.sandbox.Now},
		Handler: func(_ context.Context, delivery *webhooks.Delivery) error {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.got = append(d.got, delivery)
			return d.err
		},
		DeadLetter: func(_ context.Context, delivery *webhooks.Delivery, _ error) error {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.dead = append(d.dead, delivery)
			return nil
		},
	})
	require.NoError(t, err)
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		if d.down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		receiver.ServeHTTP(w, r)
	})
	return d
}

func (d *hookDestination) watch(t *testing.T, template webhooks.Template, args webhooks.TemplateArgs) string {
	t.Helper()
	hook, err := flows.Webhooks(t, d.sandbox).CreateWebhook(t.Context(), template, webhooks.CreateWebhookRequest{
		Name: "watch", Network: "NET", Enabled: true, DestinationURL: d.server.URL, TemplateArgs: args,
	})
	require.NoError(t, err)
	return hook.ID
}

// take returns what was handled since the last time.
func (d *hookDestination) take() []*webhooks.Delivery {
	sandbox.Settle(d.sandbox, 10*time.Second)
	d.mu.Lock()
	defer d.mu.Unlock()
	got := d.got
	d.got = nil
	return got
}

func (d *hookDestination) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err = err
}

// TestWebhooksDeliverEveryChain holds both payloads, and what has none, to what
// happened.
func TestWebhooksDeliverEveryChain(t *testing.T) { everyChain(t, newHookDestination(t)) }

func everyChain(t *testing.T, d *hookDestination) {
	s := d.sandbox
	const wallet, contract = "0x00000000000000000000000000000000000000aa", "0x00000000000000000000000000000000000000cc"
	const transfer = "Transfer(address,address,uint256)"
	ledgerHook := d.watch(t, sandbox.LedgerWalletFilter, webhooks.WalletFilter{Addresses: []string{s.WalletAddress()}})
	walletHook := d.watch(t, webhooks.TemplateEVMWalletFilter, webhooks.WalletFilter{Addresses: []string{wallet}})
	eventHook := d.watch(t, webhooks.TemplateEVMContractEvents, webhooks.ContractEvents{Contracts: []string{contract}, Events: []string{transfer}})
	utxoHook := d.watch(t, sandbox.UTXOWalletFilter, webhooks.WalletFilter{Addresses: []string{"bc1qmine"}})

	s.Webhooks().EmitEVM("NET",
		sandbox.EVMTransaction{From: wallet, To: contract, Value: "340282366920938463463374607431768211456", Nonce: 1<<64 - 1},
		sandbox.EVMTransaction{From: contract, To: contract, Logs: []sandbox.EVMLog{{Event: transfer, Address: contract, Topics: []string{"0x01"}, Data: "0x02"}}},
	)
	byHook := map[string]*webhooks.Delivery{}
	for _, delivery := range d.take() {
		byHook[delivery.WebhookID] = delivery
	}
	require.Len(t, byHook, 2)
	sent := byHook[walletHook].EVM.Transactions
	require.Len(t, sent, 1)
	require.Equal(t, webhooks.Number(1<<64-1), *sent[0].Nonce)
	value, ok := sent[0].Value.BigInt()
	require.True(t, ok)
	require.Equal(t, "340282366920938463463374607431768211456", value.String())
	logs := byHook[eventHook].EVM.Transactions[0].Logs
	require.Equal(t, []webhooks.EVMLog{{
		Address: contract, Topics: []string{"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", "0x01"}, Data: "0x02",
	}}, logs)
	require.Equal(t, s.Now().Unix(), byHook[eventHook].Timestamp.Unix())

	signature := landDeposit(t, s)
	s.Advance(time.Second) // the slot ends
	got := d.take()
	require.Len(t, got, 1)
	require.Equal(t, ledgerHook, got[0].WebhookID)
	landed := got[0].Ledger.Transactions
	require.Len(t, landed, 1)
	require.Equal(t, signature, landed[0].Signature)
	require.False(t, landed[0].Meta.Failed())
	require.Equal(t, s.WalletAddress(), landed[0].Transaction.Message.AccountKeys[0])
	require.Equal(t, landed[0].Meta.PreBalances[0]-landed[0].Meta.Fee, landed[0].Meta.PostBalances[0]+rentPaid(landed[0].Meta), "what the payer lacks is fee and rent")

	for range 2 {
		s.Webhooks().EmitUTXO("NET", sandbox.UTXOTransaction{Outputs: []sandbox.UTXOAmount{{Address: "bc1qmine", Value: 5}}})
	}
	got = d.take()
	require.Len(t, got, 2)
	for _, delivery := range got {
		require.Nil(t, delivery.EVM)
		require.Nil(t, delivery.Ledger)
		require.NoError(t, delivery.DecodeErr)
		require.Contains(t, delivery.Raw.String(), "bc1qmine")
	}
	require.ElementsMatch(t, []string{utxoHook, ""}, []string{got[0].WebhookID, got[1].WebhookID}, "one of the two comes without an envelope")
	require.Empty(t, s.Violations())
}

// rentPaid is the amount that other accounts got.
func rentPaid(m webhooks.LedgerMeta) (lamports walletfi.Amount) {
	for i := range m.PreBalances[1:] {
		lamports += m.PostBalances[1+i] - m.PreBalances[1+i]
	}
	return lamports
}

// landDeposit executes a transaction of the sandbox's wallet.
func landDeposit(t *testing.T, s *sandbox.Sandbox) string {
	t.Helper()
	c, err := lending.New(lending.Config{BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: flows.Options(s)})
	require.NoError(t, err)
	deposit, err := c.BuildDeposit(t.Context(), lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 1_000_000,
	})
	require.NoError(t, err)
	return flows.Land(t, s, deposit.Unsigned())[0]
}

// bothSigned runs a test on deliveries whose attempts are each signed again, and
// on such whose attempts are alike: the sandbox does so in turn.
func bothSigned(t *testing.T, run func(t *testing.T, d *hookDestination, id string)) {
	for name, earlier := range map[string]int{"anew": 0, "alike": 1} {
		t.Run(name, func(t *testing.T) {
			d := newHookDestination(t)
			id := d.watch(t, webhooks.TemplateEVMABIFilter, webhooks.RawArgs(`{}`))
			for range earlier {
				require.NoError(t, d.sandbox.Webhooks().Deliver(id, []byte(`{"earlier":true}`)))
				require.Len(t, d.take(), 1)
			}
			run(t, d, id)
			hook, err := flows.Webhooks(t, d.sandbox).GetWebhook(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, "active", hook.Status, "it was not marked failed")
			require.Empty(t, d.sandbox.Violations())
		})
	}
}

// TestWebhooksDeadLetter: the handler fails at every attempt, and the fourth
// ends at the dead letters before a fifth would end everything.
func TestWebhooksDeadLetter(t *testing.T) {
	bothSigned(t, func(t *testing.T, d *hookDestination, id string) {
		d.fail(context.DeadlineExceeded)
		require.NoError(t, d.sandbox.Webhooks().Deliver(id, []byte(`{"n":1}`)))
		require.Len(t, d.take(), 1)
		for _, wait := range []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute} {
			require.Empty(t, d.dead)
			d.sandbox.Advance(wait)
			require.Len(t, d.take(), 1)
		}
		require.Len(t, d.dead, 1)
		require.Equal(t, `{"n":1}`, d.dead[0].Raw.String())
		d.sandbox.Advance(3 * time.Hour)
		require.Empty(t, d.take(), "the fourth attempt was answered 200")
	})
}

// TestWebhooksLastAttempt comes 2 h 36 min after the first and is taken,
// whichever time it is signed with. A replay of it is handled no second time.
func TestWebhooksLastAttempt(t *testing.T) {
	bothSigned(t, func(t *testing.T, d *hookDestination, id string) {
		d.down.Store(true)
		require.NoError(t, d.sandbox.Webhooks().Deliver(id, []byte(`{"n":1}`)))
		for _, wait := range []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute} {
			require.Empty(t, d.take())
			d.sandbox.Advance(wait)
		}
		require.Empty(t, d.take())
		d.down.Store(false)
		d.sandbox.Advance(2 * time.Hour)
		require.Len(t, d.take(), 1)
		all := d.sandbox.Deliveries()
		last := all[len(all)-1]
		require.Equal(t, 5, last.Attempt)
		for _, want := range []int{http.StatusOK, http.StatusUnauthorized} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, last.URL, bytes.NewReader(last.Body))
			require.NoError(t, err)
			req.Header = last.Header
			resp, err := d.server.Client().Do(req)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, want, resp.StatusCode)
			d.sandbox.Advance(3*time.Hour + time.Second)
		}
		require.Empty(t, d.take())
	})
}
