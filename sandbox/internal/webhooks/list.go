package webhooks

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

func (w *Service) list(c *kit.Call, _ kit.Nothing) any {
	all := []any{}
	for _, h := range w.hooks {
		all = append(all, h.record(0))
	}
	if c.Shape(2) == 0 {
		return all
	}
	return map[string]any{"webhooks": all, "total": len(all)}
}
