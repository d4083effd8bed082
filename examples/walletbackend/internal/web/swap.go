package web

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/swap"
)

// swapData is the data of the page of swaps.
type swapData struct {
	Tokens []swap.Token
	Asked  asked
	Quotes []quoteView
	// Problem is why there are no quotes.
	Problem string
}

// quoteView is a quote for people.
type quoteView struct {
	*services.Quote
	OutText   string `json:"outText"`
	LeastText string `json:"leastText"`
	Problem   string `json:"problem,omitempty"`
}

func (s *Server) swapPage(w http.ResponseWriter, v *visit) error {
	a, err := readAsked(v)
	if err != nil {
		return err
	}
	data := swapData{Tokens: s.Clients.Tokens.List(), Asked: a}
	data.Asked.SlippageBps = cmp.Or(a.SlippageBps, "50")
	data.Asked.To = cmp.Or(a.To, walletfi.NativeMint)
	if a.Amount != "" {
		if data.Quotes, err = s.quotes(v, a); err != nil {
			_, data.Problem = statusOf(err)
		}
	}
	return s.show(w, v, "swap", "Swap", data)
}

func (s *Server) apiQuotes(v *visit) (any, error) {
	a, err := readAsked(v)
	if err != nil {
		return nil, err
	}
	quotes, err := s.quotes(v, a)
	return map[string]any{"quotes": quotes}, err
}

// quotes asks the three services, the best offer first.
func (s *Server) quotes(v *visit, a asked) (all []quoteView, err error) {
	r, err := s.request(a)
	if err != nil {
		return nil, err
	}
	if r.Amount == 0 {
		return nil, &walletfi.ValidationError{Field: "amount", Problem: "must be more than 0"}
	}
	for _, q := range s.Clients.Quotes(v.ctx(), services.Trade{
		Owner: v.user.Address, From: r.Mint, To: r.To, Amount: r.Amount, SlippageBps: r.SlippageBps,
	}) {
		view := quoteView{
			Quote:     q,
			OutText:   s.Clients.Tokens.Text(r.To, q.Out),
			LeastText: s.Clients.Tokens.Text(r.To, q.Least),
		}
		if q.Err != nil {
			_, view.Problem = statusOf(q.Err)
		}
		all = append(all, view)
	}
	slices.SortStableFunc(all, func(a, b quoteView) int { return cmp.Compare(b.Out, a.Out) })
	return all, nil
}
