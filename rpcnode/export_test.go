package rpcnode

import (
	"context"
	"sync/atomic"
	"time"
)

// SkipPauses lets c repeat without waiting, for servers that run in real time.
// It returns how often c would have waited.
func (c *Client) SkipPauses() *atomic.Int32 {
	pauses := new(atomic.Int32)
	c.pause = func(ctx context.Context, d time.Duration) error {
		if d > 0 {
			pauses.Add(1)
		}
		return ctx.Err()
	}
	return pauses
}

// SocketURL is where a node's WebSocket is by convention.
var SocketURL = socketURL
