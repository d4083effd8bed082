package sandbox

import (
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// PredictMetaHandle controls the prediction market service.
type PredictMetaHandle struct {
	core    *kit.Core
	service *predictmeta.Service
}

// PredictMeta returns the handle of the prediction market service.
func (s *Sandbox) PredictMeta() PredictMetaHandle {
	return PredictMetaHandle{s.world.Core, s.world.PredictMeta}
}

// WSURL returns the base URL of the WebSocket, without the path.
func (h PredictMetaHandle) WSURL() string {
	return strings.Replace(h.core.HostURL(PredictMeta, "ws"), "http://", "ws://", 1)
}

// LiveMarket is a prediction market that trades.
type LiveMarket = play.LiveMarket

// LiveMarket returns the market that trades now and closes last. If none trades, a
// new round of markets opens first.
func (h PredictMetaHandle) LiveMarket() LiveMarket {
	h.core.Lock()
	defer h.core.Unlock()
	ticker, event, yes, no, closes := h.service.LiveMarket()
	return LiveMarket{Ticker: ticker, Event: event, Yes: yes, No: no, Closes: time.Unix(closes, 0).UTC()}
}

// Feed returns the handle of the WebSocket.
func (h PredictMetaHandle) Feed() FeedHandle { return FeedHandle(h) }
