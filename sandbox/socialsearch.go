package sandbox

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/socialsearch"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// SocialSearchHandle controls the corpus and the bill of the post search.
type SocialSearchHandle struct{ service *socialsearch.Service }

// SocialSearch returns the handle of the post search.
func (s *Sandbox) SocialSearch() SocialSearchHandle {
	return SocialSearchHandle{s.world().SocialSearch}
}

// UserToken returns a bearer token of a user. [Sandbox.APIKey] returns that of
// an app, whose searches are limited less.
func (h SocialSearchHandle) UserToken() string { return h.service.UserToken() }

// SocialPost is a post to add to the corpus.
type SocialPost = play.SocialPost

// AddPost adds a post to what the search finds and returns its id.
func (h SocialSearchHandle) AddPost(add SocialPost) (id string, err error) {
	return h.service.AddPost(add)
}

// SocialUsage counts the reads that the service bills.
type SocialUsage = play.SocialUsage

// Usage returns what has been read so far, including reads whose answer a fault
// kept from arriving.
func (h SocialSearchHandle) Usage() SocialUsage { return h.service.Usage() }

// CapUsage allows that many more posts to be read. After them every request is
// refused with a 429 that is not a rate limit: requests remain in the window. A
// negative number removes the cap.
func (h SocialSearchHandle) CapUsage(posts int) { h.service.CapUsage(posts) }
