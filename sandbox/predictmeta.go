package sandbox

import (
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/predictmeta"
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
	return strings.Replace(h.core.HostURL(kit.PredictMeta, "ws"), "http://", "ws://", 1)
}

// Feed returns the handle of the WebSocket.
func (h PredictMetaHandle) Feed() FeedHandle { return FeedHandle(h) }
