package postgres

import (
	"context"
	"net"
	"sync"
	"time"
)

// answerWithin is how long the database may say nothing while it is asked something. A connection on which
// nothing comes any more would otherwise hold up the signer for as long as TCP waits.
const answerWithin = 20 * time.Second

func dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &bounded{Conn: c}, nil
}

// bounded is a connection whose reads end.
type bounded struct {
	net.Conn
	mu   sync.Mutex
	told time.Time // the deadline that the driver has set, with which a context ends
}

func (b *bounded) Read(p []byte) (int, error) {
	b.mu.Lock()
	if b.told.IsZero() {
		_ = b.Conn.SetReadDeadline(time.Now().Add(answerWithin)) // else Read fails as well
	}
	b.mu.Unlock()
	return b.Conn.Read(p)
}

func (b *bounded) SetDeadline(t time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.told = t
	return b.Conn.SetDeadline(t)
}

func (b *bounded) SetReadDeadline(t time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.told = t
	return b.Conn.SetReadDeadline(t)
}
