package web

import (
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/swap"
)

// pricesData is the data of the page of prices.
type pricesData struct {
	Tokens []swap.Token
	Mint   string
	Chart  *services.Chart
	Recent []onchaindata.Candle // the newest first
	// Beside them: what is bet on, and what is said of the token.
	Markets []services.Market
	Posts   []services.Post
	Missing []string // the parts whose services do not answer
}

func (s *Server) pricesPage(w http.ResponseWriter, v *visit) error {
	data := pricesData{Tokens: s.Clients.Tokens.List(), Mint: v.FormValue("mint")}
	if data.Mint == "" {
		data.Mint = walletfi.NativeMint
	}
	data.Missing = s.ask(map[string]func() error{
		"chart": func() (err error) {
			data.Chart, err = s.Clients.Chart(v.ctx(), s.Network, data.Mint)
			return err
		},
		"prediction markets": func() (err error) {
			data.Markets, err = s.Clients.ListMarkets(v.ctx())
			return err
		},
		"posts": func() (err error) {
			data.Posts, err = s.Clients.ListPosts(v.ctx(), data.Mint)
			return err
		},
	})
	if data.Chart != nil {
		for i := len(data.Chart.Candles) - 1; i >= 0 && len(data.Recent) < 12; i-- {
			data.Recent = append(data.Recent, data.Chart.Candles[i])
		}
	}
	return s.show(w, v, "prices", "Prices", data)
}

// candle is a candle as the chart's library wants it: the numbers of a picture,
// not of money.
type candle struct {
	Time  int64   `json:"time"` // Unix seconds
	Open  float64 `json:"open"`
	High  float64 `json:"high"`
	Low   float64 `json:"low"`
	Close float64 `json:"close"`
}

func (s *Server) apiCandles(v *visit) (any, error) {
	chart, err := s.Clients.Chart(v.ctx(), s.Network, v.PathValue("mint"))
	if err != nil {
		return nil, err
	}
	candles := []candle{}
	for _, c := range chart.Candles {
		candles = append(candles, candle{
			c.Timestamp.Unix(), c.Open.Float64(), c.High.Float64(), c.Low.Float64(), c.Close.Float64(),
		})
	}
	return map[string]any{"pool": chart.Pool, "candles": candles}, nil
}

func (s *Server) apiTokens(*visit) (any, error) {
	return map[string]any{"tokens": s.Clients.Tokens.List()}, nil
}

func (s *Server) apiMarkets(v *visit) (any, error) {
	markets, err := s.Clients.ListMarkets(v.ctx())
	return map[string]any{"markets": markets}, err
}

func (s *Server) apiPosts(v *visit) (any, error) {
	posts, err := s.Clients.ListPosts(v.ctx(), v.PathValue("mint"))
	return map[string]any{"posts": posts}, err
}
