package swap

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// Listed is an order as the sandbox's own page shows it.
type Listed struct {
	ID, Owner, Status string // the id is the signature that opened it
	From, To          string // symbols
	In, Paid          uint64 // smallest units
}

// Listed returns the newest orders, the newest first, most at most. The lock is held.
func (w *Service) Listed(most int) []Listed {
	return kit.List(w.orders.Newest(most), func(o *order) Listed {
		return Listed{o.id, o.owner.String(), o.status, o.from.Symbol, o.to.Symbol, o.in, o.paid}
	})
}
