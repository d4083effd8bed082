package web

import (
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/signing"
)

// reportView is a guard's report for people: what leaves, what arrives, what is
// proven and what is not.
type reportView struct {
	Leaves    []moved
	Brings    []string // what arrives
	Fees      string
	Proven    []string
	NotProven []string
	Refusals  []*signing.GuardError
	Text      string // the whole report
}

// moved is an amount that leaves the wallet.
type moved struct {
	Amount, To, ToShort, As string
}

func viewReport(r *signing.Report) reportView {
	if r == nil {
		return reportView{}
	}
	view := reportView{
		Text:      r.Text(),
		Fees:      amountText(r, signing.NativeMint, r.NetworkFeeLamports()),
		NotProven: r.Unseen(),
	}
	for _, m := range r.Leaves {
		view.Leaves = append(view.Leaves, moved{
			Amount: amountText(r, m.Mint, m.Amount), To: m.To.String(),
			ToShort: services.Short(m.To.String()), As: string(m.CountsAs),
		})
	}
	arrives := r.Brings
	if r.Simulated {
		arrives = r.Arrives
	}
	for _, a := range arrives {
		if mint, err := signing.ParsePublicKey(a.Mint); err == nil {
			view.Brings = append(view.Brings, amountText(r, mint, uint64(a.Amount)))
		}
	}
	if r.Refusal != nil {
		view.Refusals = append([]*signing.GuardError{r.Refusal}, r.Also...)
		return view
	}
	view.Proven = []string{
		"Every instruction is one that the guard knows or that calls a program you trust.",
		"Nothing leaves your wallet beyond what you asked for, its fees and rent.",
	}
	switch {
	case r.Simulated:
		view.Proven = append(view.Proven, "In a simulation at the node, what arrives is no less than what you asked for.")
	case !r.Unproven && len(view.Brings) > 0:
		view.Proven = append(view.Proven, "The transaction's bytes bring what you asked for.")
	}
	return view
}

// amountText is an amount with its token's symbol, as far as the report knows it.
func amountText(r *signing.Report, mint signing.PublicKey, amount uint64) string {
	if mint == signing.NativeMint {
		return walletfi.Amount(amount).UI(9) + " SOL"
	}
	for _, token := range r.Tokens {
		if token.Mint == mint {
			return walletfi.Amount(amount).UI(int(token.Decimals)) + " " + token.Symbol
		}
	}
	return fmt.Sprintf("%d smallest units of %s", amount, services.Short(mint.String()))
}
