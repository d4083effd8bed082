// Package redislimit shares the limits of one key among many processes, in Redis.
package redislimit

import _ "github.com/walletfi/walletfi-go"
