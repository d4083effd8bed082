package sandbox

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/control"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/page"
)

// pageRows is how many transactions, orders and requests the page shows.
const pageRows = 200

// pages are what the control port has for people.
func (s *Sandbox) pages() map[string]control.Page {
	document := func(query url.Values) []byte { return page.Render(s.shown(query)) }
	style := func(url.Values) []byte { return page.Style }
	return map[string]control.Page{
		"/":         {ContentType: "text/html; charset=utf-8", Write: document},
		"/page.css": {ContentType: "text/css; charset=utf-8", Write: style},
	}
}

// shown collects the page, with the requests that a query asks for.
func (s *Sandbox) shown(query url.Values) page.Data {
	status, _ := strconv.Atoi(query.Get("status")) // what is no number filters nothing
	d := page.Data{
		Slot: s.Ledger().Slot(), Height: s.Ledger().BlockHeight(), Wallets: s.holders(), Violations: ViolationGroups(s),
		Filter: Exchange{
			Service: Service(query.Get("service")), Route: query.Get("route"), Tenant: query.Get("tenant"), Status: status,
		},
	}
	d.Requests = Requests(s, d.Filter)
	d.Requests = d.Requests[max(0, len(d.Requests)-pageRows):]
	slices.Reverse(d.Requests)
	w := s.world()
	w.Locked(func() {
		d.Now, d.Limits, d.Faults, d.Orders = w.Now(), w.Usages(), w.ActiveFaults(), w.Swap.Listed(pageRows)
		d.Transactions = kit.List(w.Newest(pageRows), shownTransaction)
	})
	return d
}

func shownTransaction(r *ledger.Receipt) page.Transaction {
	t := page.Transaction{Signature: r.Signature.String(), Slot: r.Slot, Fee: r.Fee, Logs: r.Logs}
	if r.Err != nil {
		t.Err = r.Err.Error()
	}
	return t
}

// holders are the test wallet and those of tenants, with the tokens that they have.
func (s *Sandbox) holders() (all []page.Wallet) {
	all = append(all, page.Wallet{Name: "test wallet", Address: s.WalletAddress()})
	for _, t := range Tenants(s) {
		all = append(all, page.Wallet{Name: t.Name, Address: t.Address})
	}
	l := s.Ledger()
	tokens := l.Tokens()
	for i := range all {
		all[i].Holdings = append(all[i].Holdings, fmt.Sprintf("%d lamports", l.Balance(all[i].Address)))
		for _, t := range tokens {
			if amount := l.TokenBalance(all[i].Address, t.Mint); amount > 0 {
				all[i].Holdings = append(all[i].Holdings, fmt.Sprintf("%d %s", amount, t.Symbol))
			}
		}
	}
	return all
}
