package predictmeta

import (
	"time"

	"github.com/walletfi/walletfi-go/internal/wsconn"
)

// feedHandler takes what happens on the connection, in its goroutine, to the
// queue. Messages that arrived together go there together: the consumer is
// woken once, and the lock is taken once.
type feedHandler struct {
	stream  *Stream
	decoder feedDecoder
	held    []queued
}

// maxHeld bounds what is held back, for no longer than it takes to decode that.
const maxHeld = 64

func newFeedHandler(s *Stream, keepRaw bool) *feedHandler {
	return &feedHandler{
		stream:  s,
		decoder: feedDecoder{words: s.client.words, translates: !s.client.cfg.Vocabulary.IsZero(), keepRaw: keepRaw},
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

// flush hands on what is held, before the connection waits for more.
func (h *feedHandler) flush() {
	if len(h.held) > 0 {
		h.stream.queue.put(h.held...)
		clear(h.held)
		h.held = h.held[:0]
	}
}

// Gap queues the gap and has the books fetched.
func (h *feedHandler) Gap(gap wsconn.Gap) {
	h.flush()
	h.stream.queue.put(made(&Gap{gap.From, gap.To, gap.Reason}, len(gap.Reason)))
	h.stream.books.start()
}

// Down queues the loss of the connection.
func (h *feedHandler) Down(err error, retryIn time.Duration) {
	h.flush()
	h.stream.queue.put(made(&Disconnected{time.Now(), streamError(err), retryIn}, 0))
}
