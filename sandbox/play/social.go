package play

import "time"

// SocialPost is a post to add to the corpus.
type SocialPost struct {
	Author      string    // username; a new name creates a user
	Text        string    // links, mentions, #tags and $tickers are read from it
	Lang        string    // "en" if empty
	CreatedAt   time.Time // now if zero
	InReplyTo   string    // id of a post; empty if it is not a reply
	Repost      bool
	Media       bool
	LikeCount   int
	RepostCount int
}

// SocialUsage counts the reads that the service bills.
type SocialUsage struct {
	PostsRead   int // one for each time that a post was returned
	UserLookups int // by name; users that come with posts are free
}

// Cost is in thousandths of the currency unit: 5 a post, 10 a user.
func (u SocialUsage) Cost() int { return 5*u.PostsRead + 10*u.UserLookups }
