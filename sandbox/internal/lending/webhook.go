package lending

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// rebalance is how often a wallet's deposits move to a better protocol.
const rebalance = 24 * time.Hour

// SetWebhook does what sandbox.LendingHandle.SetWebhook says.
func (l *Service) SetWebhook(url string) { l.Locked(func() { l.webhook = url }) }

// emit posts an event once: the service documents no retries.
func (l *Service) emit(event string, data map[string]any) {
	if l.webhook == "" {
		return
	}
	written := kit.MustJSON(map[string]any{"event": event, "timestamp": l.Now().Unix(), "data": data})
	body := l.Tell(play.Lending, written)
	l.Deliver(kit.Outgoing{Service: play.Lending, ID: event, URL: l.webhook, Letter: letter(body)})
}

// letter is an event's body. Nobody waits for it to arrive.
type letter []byte

// Compose implements kit.Letter.
func (b letter) Compose(int) (http.Header, []byte) { return http.Header{}, b }

// Dropped implements kit.Letter.
func (letter) Dropped() bool { return false }

// Done implements kit.Letter.
func (letter) Done(bool) {}

// rebalancing is when a wallet's positions are moved.
type rebalancing struct {
	l *Service
	w *wallet
}

// Happen moves them.
func (x rebalancing) Happen() { x.l.rebalance(x.w) }

var _ = snapshot.Keep(
	letter{}, rebalancing{}, cooled{}, withdrawing{}, taking{}, depositing{}, initializing{}, claiming{},
)

// rebalance moves each of a wallet's positions to the protocol that yields
// most, and plans the next time.
func (l *Service) rebalance(w *wallet) {
	l.After(rebalance, rebalancing{l, w})
	for _, x := range w.positions {
		x.accrue(l.Now())
		if x.balance == 0 {
			continue
		}
		p := x.pool
		from, to := p.protocols[0].Name, p.protocols[1].Name
		p.protocols[0].Name, p.protocols[1].Name = to, from
		w.record(map[string]any{
			"type": "rebalance", "timestamp": l.Now().Unix(), "fromProtocol": from, "toProtocol": to,
			"amount": x.balance, "reason": "higher yield",
		})
		l.emit("rebalance.executed", map[string]any{
			"walletAddress": w.address, "mint": p.Mint, "amount": x.balance, "fromProtocol": from, "toProtocol": to,
		})
	}
}

// FailProtocol does what sandbox.LendingHandle.FailProtocol says.
func (l *Service) FailProtocol(wallet, mint string) error {
	l.Lock()
	defer l.Unlock()
	w, ok := l.wallets[wallet]
	if !ok {
		return fmt.Errorf("sandbox: %s has deposited nothing", wallet)
	}
	var paid uint64
	for _, x := range w.positions {
		if x.pool.Mint == mint && x.balance > 0 {
			x.accrue(l.Now())
			paid += x.balance
			l.reduce(w, x.pool, x.depositType, x.balance)
		}
	}
	if paid == 0 {
		return fmt.Errorf("sandbox: %s has no position of %s", wallet, mint)
	}
	l.Chain.MintTo(solana.MustPublicKeyFromBase58(wallet), solana.MustPublicKeyFromBase58(mint), paid)
	l.emit("position.liquidated", map[string]any{"walletAddress": wallet, "mint": mint, "amount": paid})
	return nil
}
