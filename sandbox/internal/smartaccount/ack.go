package smartaccount

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// ack makes the endpoint of a route whose answer carries
// "success", which a test can make false.
func ack[In any](b *Service, handler func(*kit.Call, In) map[string]any) kit.Endpoint {
	return kit.Handle(func(c *kit.Call, in In) any {
		if b.silent > 0 {
			b.silent--
			return b.silentRefusal(c)
		}
		answer := handler(c, in)
		answer["success"] = true
		return answer
	})
}

// silentRefusal is success:false under HTTP 200. Its other fields are
// undocumented.
func (b *Service) silentRefusal(c *kit.Call) map[string]any {
	if c.Shape(2) == 0 {
		return map[string]any{"success": false}
	}
	return map[string]any{"success": false, "message": "the request was not carried out"}
}

// RefuseSilently does what sandbox.SmartAccountHandle.RefuseSilently says.
func (b *Service) RefuseSilently(times int) {
	b.Lock()
	defer b.Unlock()
	b.silent = max(0, times)
}
