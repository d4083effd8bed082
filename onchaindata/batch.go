package onchaindata

import (
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
)

// checkAddresses refuses addresses that cannot be items of a list with commas in a
// path, before any part of a batch is sent.
func checkAddresses(addresses []string) error {
	return check.All(
		check.That(len(addresses) > 0, "addresses", "must not be empty"),
		check.Each("addresses", addresses, checkAddress),
	)
}

func checkAddress(field, address string) error {
	one := address != "" && address != "." && address != ".." && !strings.ContainsAny(address, ",/\\ \t\r\n")
	return check.That(one, field, "must be one address")
}

// sameAddress returns a key that is equal for equal addresses: some networks
// answer with hexadecimal addresses in another case than the request's. Only plain
// hexadecimal is the same in another case: of "0x2::coin::COIN" and base58 the case
// counts.
func sameAddress(address string) string {
	if len(address) < 3 || address[0] != '0' || address[1]|0x20 != 'x' {
		return address
	}
	notHex := func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", r) }
	if strings.ContainsFunc(address[2:], notHex) {
		return address
	}
	return strings.ToLower(address)
}

// distinct returns the addresses without repetitions, in order.
func distinct(addresses []string) []string {
	seen := make(map[string]bool, len(addresses))
	return slices.DeleteFunc(slices.Clone(addresses), func(a string) bool {
		key := sameAddress(a)
		again := seen[key]
		seen[key] = true
		return again
	})
}

// held adds to the error of a batch that records came that were not asked for.
func held[T any](err error, addresses []string, unasked []T, addressOf func(*T) string) error {
	if len(unasked) == 0 {
		return err
	}
	came := addressOf(&unasked[0])
	return echo.All(err, echo.That(false, "data.attributes.address", strings.Join(addresses, ","), came))
}

// arrange puts records into the order of the requested addresses. An address that
// was requested twice gets its record twice.
func arrange[T any](
	addresses []string, records []T, addressOf func(*T) string,
) (found []T, notFound []string, unasked []T) {
	byAddress := make(map[string]*T, len(records))
	for i := range records {
		byAddress[sameAddress(addressOf(&records[i]))] = &records[i]
	}
	asked := make(map[string]bool, len(addresses))
	for _, address := range addresses {
		key := sameAddress(address)
		asked[key] = true
		if r := byAddress[key]; r != nil {
			found = append(found, *r)
		} else {
			notFound = append(notFound, address)
		}
	}
	for i := range records {
		if !asked[sameAddress(addressOf(&records[i]))] {
			unasked = append(unasked, records[i])
		}
	}
	return found, notFound, unasked
}
