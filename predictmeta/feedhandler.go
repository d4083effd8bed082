package predictmeta

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/wsconn"
)

// feedHandler puts what happens on the connection into the queue. Messages that
// arrived together go there together: the consumer is woken once, and the lock is
// taken once.
type feedHandler struct {
	stream  *Stream
	decoder feedDecoder
	held    []queued
	down    bool // Disconnected was the last word on the connection
}

// maxHeld is how many messages are decoded before they go to the queue.
const maxHeld = 64

func newFeedHandler(s *Stream, keepRaw bool) *feedHandler {
	waive := s.client.t.Waiving(context.Background(), "Stream", "/ws")
	return &feedHandler{
		stream:  s,
		decoder: feedDecoder{feed: s.client.feed, keepRaw: keepRaw, waive: waive},
		held:    make([]queued, 0, maxHeld),
	}
}

// Message decodes what the service sent.
func (h *feedHandler) Message(message []byte) {
	if len(h.held) == maxHeld {
		h.flush()
	}
	h.held = append(h.held, made(h.decoder.decode(message), len(message)))
}

// flush puts the decoded messages into the queue, before the connection waits for
// more.
func (h *feedHandler) flush() {
	if len(h.held) > 0 {
		h.stream.put(h.held...)
		clear(h.held)
		h.held = h.held[:0]
	}
}

// Gap queues the gap. No book that was fetched before it is queued after it.
func (h *feedHandler) Gap(gap wsconn.Gap) {
	h.flush()
	h.stream.books.expire()
	h.stream.put(made(&Gap{gap.From, gap.To, gap.Reason}, len(gap.Reason)))
}

// Up queues that the feed can be used.
func (h *feedHandler) Up() {
	h.down = false
	h.stream.put(made(&Connected{clock.Now(h.stream.client.cfg.Clock)}, 0))
}

// Reached starts to fetch the books of what the service has taken.
func (h *feedHandler) Reached(mark uint64) {
	h.flush()
	h.stream.books.reached(mark)
}

// Down queues the loss of the connection, or a further attempt that failed.
func (h *feedHandler) Down(err error, retryIn time.Duration) {
	h.flush()
	h.stream.books.suspend()
	if h.down {
		h.stream.put(made(&RetryFailed{clock.Now(h.stream.client.cfg.Clock), h.stream.client.streamError(err), retryIn}, 0))
		return
	}
	h.down = true
	h.stream.put(made(&Disconnected{clock.Now(h.stream.client.cfg.Clock), h.stream.client.streamError(err), retryIn}, 0))
}
