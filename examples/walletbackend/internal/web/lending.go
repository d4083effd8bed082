package web

import (
	"errors"
	"math"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
)

// lendingData is the data of the page of deposits.
type lendingData struct {
	Pools    []poolView
	Deposits []lendingPosition
	Pending  []pendingView
}

// poolView is a pool for people.
type poolView struct {
	lending.Pool
	RoomText string
}

// pendingView is a withdrawal that cools down.
type pendingView struct {
	lending.PendingWithdrawal
	AmountText string
}

func (s *Server) lendingPage(w http.ResponseWriter, v *visit) error {
	pools, err := s.Clients.Lending.ListPools(v.ctx())
	if err != nil {
		return err
	}
	var data lendingData
	for _, p := range pools.Items {
		data.Pools = append(data.Pools, poolView{p, roomText(p)})
	}
	if data.Deposits, err = s.deposits(v.ctx(), v.user.Address); err != nil {
		return err
	}
	pending, err := s.Clients.Lending.ListPendingWithdrawals(v.ctx(), v.user.Address)
	switch {
	case errors.Is(err, walletfi.ErrNotFound): // the service does not know who never deposited
	case err != nil:
		return err
	default:
		for _, p := range pending.Items {
			data.Pending = append(data.Pending, pendingView{p, s.Clients.Tokens.Text(p.Mint, p.Amount)})
		}
	}
	return s.show(w, v, "lending", "Lending", data)
}

// roomText is how much a pool still takes. A service that has no limit tells about the
// largest number there is.
func roomText(p lending.Pool) string {
	if p.AvailableCapacity > math.MaxInt64 {
		return "any amount"
	}
	return p.AvailableCapacity.UI(p.Decimals)
}
