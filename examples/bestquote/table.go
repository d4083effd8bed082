package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/walletfi/walletfi-go/swap"
)

// table prints one line per offer.
func table(out io.Writer, offers []*offer, to swap.Token) {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintf(w, "SERVICE\tOUT %s\tMINIMUM\tPRICE IMPACT\tAGE\n", to.Symbol)
	for _, o := range offers {
		if o.err != nil {
			fmt.Fprintf(w, "%s\tno quote: %v\n", o.service, o.err)
			continue
		}
		age := time.Since(o.came).Round(time.Microsecond)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%v\n", o.service, o.out.UI(to.Decimals), o.least.UI(to.Decimals), o.impact, age)
	}
	w.Flush()
}
