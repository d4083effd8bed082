package sandbox

import (
	"fmt"
	"math"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// tipAccount is where tips go.
func (l *leverage) tipAccount() solana.PublicKey {
	account := publicKey(l.keypair("leverage tips"))
	if l.chain.Account(account) == nil {
		l.chain.Airdrop(account, lamportsPerSOL)
	}
	return account
}

type leverageTip struct {
	Lamports uint64 `json:"tipLamports"`
}

// tip is the present floor, which moves with the clock.
func (l *leverage) tip(*call, nothing) (*leverageTip, error) {
	wave := 1 + 0.5*math.Sin(float64(l.now().Unix())/60)
	return &leverageTip{uint64(10_000 * wave)}, nil
}

type leverageSubmitRequest struct {
	Transaction string `body:"transaction,required"` // base58
	Protect     *bool  `body:"mevProtect"`           // makes no difference here: nobody watches
}

// submitOne relays a transaction: what would fail is refused. It answers in
// one of two shapes.
func (l *leverage) submitOne(c *call, in leverageSubmitRequest) (any, error) {
	tx, err := decodeSigned(in.Transaction, "base58")
	if err != nil {
		return nil, leverageBad("%s", err)
	}
	l.settle()
	simulation, err := l.chain.Simulate(tx.Raw, true, false)
	if err == nil && simulation.Err != nil {
		err = simulation.Err
	}
	if err == nil {
		_, err = l.submit(tx.Raw)
	}
	if err != nil {
		return nil, leverageBad("the transaction was not accepted: %s", err)
	}
	signature := tx.Signatures[0].String()
	if c.shape(2) == 0 {
		return map[string]any{"signature": signature}, nil
	}
	return map[string]any{"success": true, "bundleId": l.bundleID(), "signatures": []string{signature}}, nil
}

type leverageBundleRequest struct {
	Transactions []string `body:"transactions,required"` // base58
}

// submitBundle lands all of the transactions, in order, or none.
func (l *leverage) submitBundle(c *call, in leverageBundleRequest) (any, error) {
	if len(in.Transactions) == 0 {
		c.violate("a bundle of nothing")
		return nil, leverageBad("transactions must not be empty")
	}
	var raws [][]byte
	var signatures []string
	for i, text := range in.Transactions {
		tx, err := decodeSigned(text, "base58")
		if err != nil {
			return nil, leverageBad("transaction %d: %s", i, err)
		}
		raws, signatures = append(raws, tx.Raw), append(signatures, tx.Signatures[0].String())
	}
	l.settle()
	if err := l.submitAll(raws); err != nil {
		return nil, leverageBad("the bundle was not accepted: %s", err)
	}
	if c.shape(2) == 0 {
		return map[string]any{"bundleId": l.bundleID(), "signatures": signatures}, nil
	}
	return map[string]any{"result": l.bundleID(), "status": "landed", "transactions": signatures}, nil
}

func (l *leverage) bundleID() string { return fmt.Sprintf("%016x%016x", l.random(), l.random()) }

// submitAll carries the market's orders out one by one, so that each meets the
// books that the ones before it left, and takes them back if the ledger does.
func (l *leverage) submitAll(raws [][]byte) error {
	restore := l.snapshot()
	var orders []*leverageOrder
	_, err := l.chain.SubmitAll(raws, func(r *ledger.Receipt) {
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
func (l *leverage) snapshot() (restore func()) {
	positions, events := l.positions, l.events
	books := map[*leveragePosition]leveragePosition{}
	for _, p := range l.planned {
		books[p] = *p
	}
	liquidity := map[*leverageOffer]uint64{}
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
