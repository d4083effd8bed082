package socialsearch

import (
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// page has n posts of n authors, in opposite orders.
func page(n int) *PostPage {
	p := &PostPage{}
	for i := range n {
		p.Items = append(p.Items, Post{AuthorID: strconv.Itoa(i)})
		p.Includes.Users = append(p.Includes.Users, User{ID: strconv.Itoa(n - i)})
	}
	return p
}

func TestJoin(t *testing.T) {
	p := page(5)
	p.Items = append(p.Items, Post{})
	p.Includes.Users = append(p.Includes.Users, User{}, User{ID: "3", Name: "another of the same ID"})
	p.join(nil)
	require.Nil(t, p.Items[0].Author, "no user has this ID")
	for _, post := range p.Items[1:5] {
		require.Equal(t, post.AuthorID, post.Author.ID)
	}
	require.Empty(t, p.Items[3].Author.Name, "the first of two users counts")
	require.Nil(t, p.Items[5].Author, "without an ID there is no author")
}

// TestJoinGrowsWithThePage: eight times the posts take eight times as long, where
// looking through all users for each post took sixty-four times.
func TestJoinGrowsWithThePage(t *testing.T) {
	best := func(n int) time.Duration {
		least := time.Duration(math.MaxInt64)
		for range 7 {
			p := page(n)
			begun := time.Now()
			p.join(nil)
			least = min(least, time.Since(begun))
		}
		return least
	}
	require.Less(t, best(32_000), 30*best(4_000))
}
