package web

import (
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
)

// burnData is the data of the page of dust.
type burnData struct {
	Tokens []services.Holding
	// Preview says how much closing the empty accounts would reclaim, nil if there are none.
	Preview  *burnclose.CloseAllPreview
	Accounts int
}

func (s *Server) burnPage(w http.ResponseWriter, v *visit) error {
	holdings, err := s.Clients.Holdings(v.ctx(), v.user.Address)
	if err != nil {
		return err
	}
	var data burnData
	for _, h := range holdings {
		if h.Mint != walletfi.NativeMint && h.Amount > 0 {
			data.Tokens = append(data.Tokens, h)
		}
		if h.Amount == 0 {
			data.Accounts++
		}
	}
	if data.Accounts > 0 {
		data.Preview, err = s.Clients.BurnClose.PreviewCloseAll(v.ctx(), burnclose.CloseAllRequest{Owner: v.user.Address})
		if err != nil {
			s.Log.Warn("no preview", "error", err)
		}
	}
	return s.show(w, v, "burn", "Burn dust", data)
}
