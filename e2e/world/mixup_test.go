package world

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// TestMixUp is given answers of other requests, answers without an id, and
// batches in another order, with an answer too many or too few; and right ones.
func TestMixUp(t *testing.T) {
	cfg := Config{Seed: 3, Services: []EndpointConfig{{Nodes: []int{0}, Profile: Profile{MixUp: 0.5}}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		kinds := map[string]int{}
		for i := range 200 {
			_, body := c.post(fmt.Sprintf(`{"id":%d,"method":"getSlot"}`, i))
			var a struct{ ID *int }
			if err := json.Unmarshal([]byte(body), &a); err != nil {
				t.Fatal(err)
			}
			switch {
			case a.ID == nil:
				kinds["without"]++
			case *a.ID != i:
				kinds["another"]++
			default:
				kinds["right"]++
			}
			time.Sleep(time.Second)
			_, body = c.post(`[{"id":1,"method":"getSlot"},{"id":2,"method":"getHealth"},{"id":3,"method":"getVersion"}]`)
			var list []struct{ ID int }
			if err := json.Unmarshal([]byte(body), &list); err != nil {
				t.Fatal(err)
			}
			var ids []int
			for _, one := range list {
				ids = append(ids, one.ID)
			}
			kinds[fmt.Sprint(ids)]++
		}
		for _, kind := range []string{"without", "another", "right", "[1 2 3]", "[3 2 1]", "[3 2 3]", "[2 3]"} {
			if kinds[kind] == 0 {
				t.Fatal(kind, kinds)
			}
		}
	})
}
