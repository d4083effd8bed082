package socialsearch

import (
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Usage returns what has been read at the post search so far, even if
// a fault kept the answer from arriving.
func (b *Service) Usage() play.SocialUsage {
	b.Lock()
	defer b.Unlock()
	return b.usage
}

// CapUsage does what sandbox.SocialSearchHandle.CapUsage says.
func (b *Service) CapUsage(posts int) {
	b.Lock()
	defer b.Unlock()
	b.cap = posts
}

// capped refuses a request if the cap is used up.
func (b *Service) capped(c *kit.Call) {
	if b.cap != 0 {
		return
	}
	f := &kit.Failure{
		Status:  http.StatusTooManyRequests,
		Code:    "UsageCapExceeded",
		Message: "the cap on posts read is used up",
		Header:  http.Header{},
	}
	if c.Limit == nil {
		f.Header.Set("X-Rate-Limit-Remaining", "1")
	}
	panic(f)
}

// read counts posts that are answered, as many as the cap lets through.
func (b *Service) read(posts int) {
	b.usage.PostsRead += posts
	if b.cap >= 0 {
		b.cap = max(0, b.cap-posts)
	}
}
