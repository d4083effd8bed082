package play_test

import (
	"fmt"

	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// A function of one's own takes the types of either package: they are the same.
func ExampleRoute_Covers() {
	count := func(routes []play.Route, match play.Route) (n int) {
		for _, r := range routes {
			if match.Covers(r) {
				n++
			}
		}
		return n
	}
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	fmt.Println(count(s.Routes(), sandbox.Route{Service: sandbox.Lending}), "routes of lending")
	// Output: 11 routes of lending
}
