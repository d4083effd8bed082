package socialsearch

import (
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
	p.join(nil, nil)
	require.Nil(t, p.Items[0].Author, "no user has this ID")
	for _, post := range p.Items[1:5] {
		require.Equal(t, post.AuthorID, post.Author.ID)
	}
	require.Empty(t, p.Items[3].Author.Name, "the first of two users counts")
	require.Nil(t, p.Items[5].Author, "without an ID there is no author")
}

// TestJoinGrowsWithThePage: looking through all users for each post would take
// minutes here.
func TestJoinGrowsWithThePage(t *testing.T) {
	p := page(200_000)
	begun := time.Now()
	p.join(nil, nil)
	require.Less(t, time.Since(begun), 10*time.Second)
}
