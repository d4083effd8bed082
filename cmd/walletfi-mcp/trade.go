package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// A trade takes two calls: prepare_swap says what it would be, and execute takes the digest of that
// alone, so that nothing can be executed that was not prepared. The signer decides; its refusals and
// what waits for people are passed on, and there is no tool that could approve.

const (
	mostPrepared = 32              // older ones are forgotten
	lastsFor     = 5 * time.Minute // of what was prepared
	mostReport   = 16 << 10        // bytes; it is never shown in part
)

// trader prepares and executes swaps.
type trader struct {
	swap   *swap.Client
	guard  *signing.Guard
	key    *client.Client
	wallet *wallet.Wallet

	mu       sync.Mutex
	prepared map[string]*prepared
	order    []string // of digests, the oldest first
}

// prepared is a swap that was quoted. Its digest binds the request and the least that arrives.
type prepared struct {
	digest  string
	request swap.OrderRequest
	least   walletfi.Amount

	mu      sync.Mutex // held while it executes
	expires time.Time
	grant   string            // that people were asked for
	built   walletfi.Unsigned // last
}

// quoted is the answer of prepare_swap.
type quoted struct {
	Digest     string    `json:"digest"`
	Expires    time.Time `json:"expires"`
	Owner      string    `json:"owner"`
	InputMint  string    `json:"inputMint"`
	Amount     string    `json:"amount"`
	OutputMint string    `json:"outputMint"`
	Expected   string    `json:"expected"`
	Least      string    `json:"least"`
	Report     string    `json:"report"`
	Signer     string    `json:"signer"`
}

// executed is the answer of execute.
type executed struct {
	State      string   `json:"state"`
	Signatures []string `json:"signatures,omitempty"`
	Replayed   bool     `json:"replayed,omitempty"`
	Grant      string   `json:"grant,omitempty"`
	Text       string   `json:"text"`
}

// errMoved is the refusal of a trade whose price is not the prepared one any more.
var errMoved = fmt.Errorf("%w: less would arrive than was prepared: prepare it again", walletfi.ErrRejected)

// prepare quotes a swap, has it built and holds it against the guard and the signer. Nothing is signed.
func (t *trader) prepare(ctx context.Context, r swap.OrderRequest) (*quoted, error) {
	r.Owner = t.key.PublicKey().String()
	order, err := t.swap.BuildOrder(ctx, r)
	if err != nil {
		return nil, err
	}
	unsigned := order.Unsigned()
	_, report, err := t.guard.CheckSet(ctx, unsigned)
	if err != nil {
		return nil, err
	}
	p := &prepared{request: r, least: order.MinOutAmount, expires: time.Now().Add(lastsFor)}
	sum := sha256.Sum256([]byte("walletfi-mcp swap " + report.Digest() + " " + p.least.String()))
	p.digest = hex.EncodeToString(sum[:])
	text := report.Text()
	if len(text) > mostReport {
		return nil, fmt.Errorf("%w: the guard's report has %d bytes", errTooLong, len(text))
	}
	t.keep(p)
	return &quoted{
		Digest: p.digest, Expires: p.expires.UTC(), Owner: r.Owner, InputMint: r.InputMint,
		Amount: r.Amount.String(), OutputMint: r.OutputMint, Expected: order.OutAmount.String(), Least: p.least.String(),
		Report: text, Signer: t.judge(ctx, unsigned),
	}, nil
}

// judge asks the signer what it would do.
func (t *trader) judge(ctx context.Context, u walletfi.Unsigned) string {
	_, err := t.key.Judge(ctx, signing.SetRequest{Unsigned: u, Count: len(u.Transactions)})
	refusal, refused := errors.AsType[*signing.SetRefusal](err)
	switch {
	case err == nil:
		return "would sign it now"
	case refused && refusal.Waits:
		return "would wait: " + refusal.Text
	case refused:
		return "would refuse: " + refusal.Text
	}
	return "did not say what it would do"
}

func (t *trader) keep(p *prepared) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, twice := t.prepared[p.digest]; twice {
		return // the same bytes: they pay once
	}
	if len(t.order) == mostPrepared {
		delete(t.prepared, t.order[0])
		t.order = slices.Delete(t.order, 0, 1)
	}
	t.prepared[p.digest] = p
	t.order = append(t.order, p.digest)
}

// paymentKey names the payment of a digest in the journal for ever.
func paymentKey(digest string) string { return "mcp-" + digest }

// execute carries out what was prepared, once however often it is called.
func (t *trader) execute(ctx context.Context, digest string) (*executed, error) {
	ctx = context.WithoutCancel(ctx) // once begun, it ends or is followed
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	t.mu.Lock()
	p := t.prepared[digest]
	t.mu.Unlock()
	if p == nil {
		return t.ended(ctx, digest)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Now().After(p.expires) {
		return t.ended(ctx, digest)
	}
	options := wallet.PlaceOptions{Key: paymentKey(digest)}
	if p.grant != "" {
		options.Signer = t.key.Under(p.grant)
	}
	placed, err := t.wallet.Place(ctx, wallet.OrderOf(t.build(p), p.request), options)
	refusal, refused := errors.AsType[*signing.SetRefusal](err)
	switch {
	case err == nil:
		return done(placed), nil
	case refused && refusal.Waits && refusal.Code == "approval":
		return t.waits(ctx, p, refusal)
	}
	return nil, err
}

// builder is swap.Client.BuildOrder, or in its place.
type builder = func(context.Context, swap.OrderRequest, ...walletfi.CallOption) (*swap.Order, error)

// build builds the swap at the present price, of which less than was prepared may not arrive: if the price
// is worse, with less tolerance.
func (t *trader) build(p *prepared) builder {
	return func(ctx context.Context, r swap.OrderRequest, opts ...walletfi.CallOption) (*swap.Order, error) {
		order, err := t.swap.BuildOrder(ctx, r, opts...)
		if err == nil && order.MinOutAmount < p.least && order.OutAmount > p.least {
			r.Slippage = walletfi.SlippageBps(tolerance(order.OutAmount, p.least))
			order, err = t.swap.BuildOrder(ctx, r, opts...)
		}
		if err != nil {
			return nil, err
		}
		if order.MinOutAmount < p.least {
			return nil, errMoved
		}
		p.built = order.Unsigned()
		return order, nil
	}
}

// tolerance is by how many basis points less than out least is, rounded down. least is the smaller one.
func tolerance(out, least walletfi.Amount) int {
	high, low := bits.Mul64(uint64(out-least), 10_000)
	bps, _ := bits.Div64(high, low, uint64(out))
	return int(bps)
}

// waits asks people for a grant, once, and says that they must approve it.
func (t *trader) waits(ctx context.Context, p *prepared, refusal *signing.SetRefusal) (*executed, error) {
	if p.grant == "" {
		if len(p.built.Transactions) == 0 {
			return nil, refusal
		}
		request := signing.SetRequest{Unsigned: p.built, Count: len(p.built.Transactions), Key: paymentKey(p.digest)}
		asked, err := t.key.AskGrant(ctx, request, "a swap that an agent has prepared")
		if err != nil {
			return nil, err
		}
		p.grant, p.expires = asked.Grant.ID, asked.Grant.Expires
	}
	return &executed{
		State: "waits", Grant: p.grant,
		Text: "nothing is signed: people must approve the grant at the signer until " +
			p.expires.UTC().Format(time.RFC3339) + "; execute the same digest after that",
	}, nil
}

func done(p *wallet.Placed) *executed {
	return &executed{
		State: "confirmed", Signatures: p.Result.Signatures(), Replayed: p.Replayed,
		Text: "the swap is carried out; the digest pays nothing more",
	}
}

// ended tells what became of a digest that was prepared earlier.
func (t *trader) ended(ctx context.Context, digest string) (*executed, error) {
	outcome, err := t.wallet.Outcome(ctx, paymentKey(digest))
	if errors.Is(err, walletfi.ErrNotFound) {
		return nil, refuse("digest", "is none that was prepared here, or it has expired: prepare the swap again")
	}
	if err != nil {
		return nil, err
	}
	e := &executed{State: string(outcome.State), Replayed: true, Text: "this is what the journal says of the digest"}
	for _, step := range outcome.Steps {
		e.Signatures = append(e.Signatures, step.Signature)
	}
	return e, nil
}
