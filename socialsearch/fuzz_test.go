package socialsearch

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzPage(f *testing.F) {
	f.Add(`{"data":[{"id":"1","public_metrics":{"like_count":0}}],"includes":{"users":[{"id":"u"}]},"meta":{"next_token":"t"}}`)
	f.Add(`{"data":[{"id":"1","author_id":"u"},{"id":"2","author_id":"v"}],"includes":{"users":[{"id":"u"},{"id":"w"}]}}`)
	f.Add(`{"data":[{"id":"1","author_id":"u"}],"includes":{"users":[{"id":""},{"id":"u","name":"a"},{"id":"u","name":"b"}]}}`)
	f.Add(`{"data":[{"id":1,"public_metrics":{"like_count":"7"}}]}`)
	f.Add(`{"errors":[null,{}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		var p PostPage
		if json.Unmarshal([]byte(body), &p) != nil {
			return
		}
		p.join([]byte(body), nil)
		require.Equal(t, body, p.Raw.String())
		for _, post := range p.Items {
			var want *User // the first with the id, if the post has one
			for i := range p.Includes.Users {
				if u := &p.Includes.Users[i]; u.ID == post.AuthorID && u.ID != "" {
					want = u
					break
				}
			}
			require.Same(t, want, post.Author)
		}
	})
}
