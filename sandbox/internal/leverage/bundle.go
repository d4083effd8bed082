package leverage

import (
	"fmt"
	"math"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// TipAccount is where tips go.
func (l *Service) TipAccount() solana.PublicKey {
	account := build.PublicKey(l.Keypair("leverage tips"))
	if l.Chain.Account(account) == nil {
		l.Chain.Airdrop(account, build.LamportsPerSOL)
	}
	return account
}

// tip is the present floor, which moves with the clock.
func (l *Service) tip(*kit.Call, kit.Nothing) any {
	wave := 1 + 0.5*math.Sin(float64(l.Now().Unix())/60)
	return map[string]any{"tipLamports": uint64(10_000 * wave)}
}

type submitRequest struct {
	_           struct{} `rule:"it is a transaction in base58"`
	Transaction string   `body:"transaction,required" open:"its signatures"` // base58
	Protect     *bool    `body:"mevProtect"`                                 // has no effect here
}

func (in submitRequest) Problems(*kit.Call) []string {
	return build.Malformed("base58", in.Transaction)
}

// submitOne relays a transaction and refuses it if it would fail. It answers in
// one of two shapes.
func (l *Service) submitOne(c *kit.Call, in submitRequest) any {
	tx, err := build.DecodeSigned(in.Transaction, "base58")
	kit.BadIf(err != nil, "%s", err)
	l.settle()
	if err = l.Refusal(tx.Raw); err == nil {
		_, err = l.Submit(tx.Raw)
	}
	kit.BadIf(err != nil, "the transaction was not accepted: %s", err)
	signature := tx.Signatures[0].String()
	if c.Shape(2) == 0 {
		return map[string]any{"signature": signature}
	}
	return map[string]any{"success": true, "bundleId": l.bundleID(), "signatures": []string{signature}}
}

type bundleRequest struct {
	_            struct{} `rule:"each is a transaction in base58"`
	Transactions []string `body:"transactions,required" open:"its signatures"` // base58
}

func (in bundleRequest) Problems(*kit.Call) []string {
	return build.Malformed("base58", in.Transactions...)
}

// submitBundle lands all of the transactions, in order, or none.
func (l *Service) submitBundle(c *kit.Call, in bundleRequest) any {
	var raws [][]byte
	var signatures []string
	for i, text := range in.Transactions {
		tx, err := build.DecodeSigned(text, "base58")
		kit.BadIf(err != nil, "transaction %d: %s", i, err)
		raws, signatures = append(raws, tx.Raw), append(signatures, tx.Signatures[0].String())
	}
	l.settle()
	err := l.submitAll(raws)
	kit.BadIf(err != nil, "the bundle was not accepted: %s", err)
	if c.Shape(2) == 0 {
		return map[string]any{"bundleId": l.bundleID(), "signatures": signatures}
	}
	return map[string]any{"result": l.bundleID(), "status": "landed", "transactions": signatures}
}

func (l *Service) bundleID() string { return fmt.Sprintf("%016x%016x", l.Random(), l.Random()) }

// submitAll executes the market's orders one by one, each on the books that the
// previous order left, and restores the books if the bundle fails.
func (l *Service) submitAll(raws [][]byte) error {
	restore := l.snapshot()
	var orders []*order
	_, err := l.Chain.SubmitAll(raws, func(r *ledger.Receipt) {
		for _, o := range l.ordersOf(r.Tx) {
			orders = append(orders, o)
			o.carryOut(r)
		}
	})
	if err != nil {
		restore()
		for _, o := range orders {
			o.applied = false
		}
	}
	return err
}

// snapshot keeps the books as they are, to go back to.
func (l *Service) snapshot() (restore func()) {
	positions, events := l.positions, l.events
	books := map[*position]position{}
	for _, p := range l.planned {
		books[p] = *p
	}
	liquidity := map[*offer]uint64{}
	for _, o := range l.offers {
		liquidity[o] = o.liquidity
	}
	return func() {
		l.positions, l.events = positions[:len(positions):len(positions)], events[:len(events):len(events)]
		for p, book := range books {
			*p = book
		}
		for o, n := range liquidity {
			o.liquidity = n
		}
	}
}
