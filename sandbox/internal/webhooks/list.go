package webhooks

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

func (w *Service) list(c *kit.Call, _ kit.Nothing) any {
	all := []any{}
	for _, h := range w.hooks {
		if h.tenant == c.Tenant {
			all = append(all, h.record(0))
		}
	}
	return c.Either(all, map[string]any{"webhooks": all, "total": len(all)})
}
