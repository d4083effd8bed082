package services

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// Post is a public post that names a token.
type Post struct {
	Author string    `json:"author"`
	Text   string    `json:"text"`
	At     time.Time `json:"at"`
}

// postsLast is how long posts are kept: the service bills each.
const postsLast = 2 * time.Minute

// ListPosts lists the newest posts that name a token by its symbol, at most ten. Anyone
// can write anything there, and name any token.
func (c *Clients) ListPosts(ctx context.Context, mint string) ([]Post, error) {
	token, ok := c.Tokens.Find(mint)
	if !ok {
		return nil, &walletfi.ValidationError{Field: "mint", Problem: "is not a token that can be traded"}
	}
	return c.posts.get(mint, postsLast, func() ([]Post, error) {
		page, err := c.SocialSearch.SearchRecent(ctx, socialsearch.SearchRequest{
			Query:      socialsearch.NewQuery(socialsearch.Cashtag(token.Symbol), socialsearch.IsRepost().Not()),
			SortOrder:  socialsearch.SortRecency,
			PostFields: []socialsearch.PostField{socialsearch.PostCreatedAt, socialsearch.PostAuthorID},
			UserFields: []socialsearch.UserField{socialsearch.UserUsername},
			Expansions: []socialsearch.Expansion{socialsearch.ExpandAuthor},
		})
		if err != nil {
			return nil, err
		}
		all := []Post{}
		for _, p := range page.Items {
			post := Post{Text: p.Text, At: p.CreatedAt.Time}
			if p.Author != nil {
				post.Author = p.Author.Username
			}
			all = append(all, post)
		}
		return all, nil
	})
}
