package inboxtest

import "testing/synctest"

func init() { inTime = synctest.Test }
