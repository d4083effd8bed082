package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
)

// portfolio holds a user's assets at all services. A part that a service did not return is
// missing, and Problems says so.
type portfolio struct {
	Address       string                  `json:"address"`
	Holdings      []services.Holding      `json:"holdings"`
	Lending       []lendingPosition       `json:"lending"`
	Leverage      []leverage.Position     `json:"leverage"`
	SmartAccounts []services.SmartAccount `json:"smartAccounts"`
	Connected     bool                    `json:"smartAccountConnected"` // whether the user has signed in to the service
	Problems      []string                `json:"problems"`
}

// lendingPosition is a deposit, with its amounts for people.
type lendingPosition struct {
	lending.Position
	BalanceText  string `json:"balanceText"`
	InterestText string `json:"interestText"`
}

// portfolio asks all services at the same time.
func (s *Server) portfolio(ctx context.Context, user store.User) *portfolio {
	p := &portfolio{Address: user.Address}
	p.Problems = s.ask(map[string]func() error{
		"tokens": func() (err error) {
			p.Holdings, err = s.Clients.Holdings(ctx, user.Address)
			return err
		},
		"lending": func() (err error) {
			p.Lending, err = s.deposits(ctx, user.Address)
			return err
		},
		"leverage": func() error {
			page, err := s.Clients.Leverage.ListPositions(ctx, leverage.PositionsRequest{
				Owner:  user.Address,
				Status: leverage.StatusExecuted,
			})
			if err == nil {
				p.Leverage = page.Items
			}
			return err
		},
		"smart account": func() (err error) {
			p.SmartAccounts, p.Connected, err = s.Accounts.List(ctx, user.ID)
			return err
		},
	})
	return p
}

// ask gets the parts of a page at the same time, and returns the names of those that
// failed, in order.
func (s *Server) ask(parts map[string]func() error) (missing []string) {
	var mu sync.Mutex
	var group sync.WaitGroup
	for name, get := range parts {
		group.Go(func() {
			if err := get(); err != nil {
				s.Log.Warn("a part is missing", "part", name, "error", err)
				mu.Lock()
				defer mu.Unlock()
				missing = append(missing, name)
			}
		})
	}
	group.Wait()
	slices.Sort(missing)
	return missing
}

// deposits lists a wallet's deposits.
func (s *Server) deposits(ctx context.Context, wallet string) (all []lendingPosition, err error) {
	account, err := s.Clients.Lending.GetAccount(ctx, wallet)
	if errors.Is(err, walletfi.ErrNotFound) {
		return nil, nil // the service does not know who never deposited
	}
	if err != nil {
		return nil, err
	}
	for _, position := range account.Positions {
		text := func(a walletfi.Amount) string { return s.Clients.Tokens.Text(position.Mint, a) }
		all = append(all, lendingPosition{position, text(position.Balance), text(position.InterestEarned)})
	}
	return all, nil
}

// portfolioData is the data of the page of the portfolio.
type portfolioData struct {
	*portfolio
	Offers []leverage.Offer // of positions to open
}

// offered is how many offers are listed.
const offered = 20

func (s *Server) portfolioPage(w http.ResponseWriter, v *visit) error {
	data := portfolioData{portfolio: s.portfolio(v.ctx(), v.user)}
	offers, err := s.Clients.Leverage.ListOffers(v.ctx(), leverage.OffersRequest{
		Side:          leverage.SideLong,
		IncludeTokens: new(true),
	})
	if err != nil {
		s.Log.Warn("no offers", "error", err)
	} else {
		data.Offers = offers.Items[:min(offered, len(offers.Items))]
	}
	return s.show(w, v, "portfolio", "Portfolio", data)
}

func (s *Server) apiPortfolio(v *visit) (any, error) { return s.portfolio(v.ctx(), v.user), nil }
