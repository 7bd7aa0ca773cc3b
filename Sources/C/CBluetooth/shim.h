#ifndef MDHOST_CBLUETOOTH_SHIM_H
#define MDHOST_CBLUETOOTH_SHIM_H

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/l2cap.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// A socket for queries about controllers, which needs no privileges, or -1.
static inline int bluetooth_control_socket(void) { return socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI); }

// Stores the numbers of the kernel's controllers, at most HCI_MAX_DEV; returns their count, or -1.
static inline int bluetooth_controllers(int control, uint16_t numbers[HCI_MAX_DEV]) {
    struct hci_dev_list_req *list =
        (struct hci_dev_list_req *)calloc(1, sizeof *list + HCI_MAX_DEV * sizeof(struct hci_dev_req));
    if (list == NULL) return -1;
    list->dev_num = HCI_MAX_DEV;
    int count = ioctl(control, HCIGETDEVLIST, (void *)list) < 0 ? -1 : (int)list->dev_num;
    for (int index = 0; index < count; index++) numbers[index] = list->dev_req[index].dev_id;
    const int failure = errno;
    free(list);
    errno = failure;
    return count;
}

static inline int bluetooth_controller(int control, uint16_t number, struct hci_dev_info *information) {
    information->dev_id = number;
    return ioctl(control, HCIGETDEVINFO, (void *)information);
}

static const int bluetooth_most_controllers = HCI_MAX_DEV;
static const uint32_t bluetooth_flag_up = 1u << HCI_UP;

// One end of an LE channel: the lowest byte of the address first, and BDADDR_LE_PUBLIC or BDADDR_LE_RANDOM.
static inline struct sockaddr_l2 bluetooth_channel_end(const uint8_t address[6], bool is_random, uint16_t psm) {
    struct sockaddr_l2 end = {.l2_family = AF_BLUETOOTH, .l2_psm = htobs(psm)};
    memcpy(&end.l2_bdaddr, address, sizeof end.l2_bdaddr);
    end.l2_bdaddr_type = is_random ? BDADDR_LE_RANDOM : BDADDR_LE_PUBLIC;
    return end;
}

// A socket from a controller to a device that begins to connect, or -1. As a stream, so that a packet can be read in parts.
static inline int bluetooth_channel_begin(
    const uint8_t controller[6], bool controller_is_random, const uint8_t device[6], bool device_is_random, uint16_t psm,
    uint16_t longest) {
    const int channel = socket(AF_BLUETOOTH, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_L2CAP);
    if (channel < 0) return -1;
    const struct sockaddr_l2 here = bluetooth_channel_end(controller, controller_is_random, 0);
    const struct sockaddr_l2 there = bluetooth_channel_end(device, device_is_random, psm);
    if (bind(channel, (const struct sockaddr *)&here, sizeof here) == 0 &&
        setsockopt(channel, SOL_BLUETOOTH, BT_RCVMTU, &longest, sizeof longest) == 0 &&
        (connect(channel, (const struct sockaddr *)&there, sizeof there) == 0 || errno == EINPROGRESS))
        return channel;
    const int failure = errno;
    close(channel);
    errno = failure;
    return -1;
}

// The result of the connection: 0, or an error number.
static inline int bluetooth_channel_failure(int channel) {
    int failure = 0;
    socklen_t size = sizeof failure;
    return getsockopt(channel, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 ? failure : errno;
}

// The most bytes that the other end accepts at once; 0 if that isn't known.
static inline uint16_t bluetooth_channel_longest(int channel) {
    uint16_t longest = 0;
    socklen_t size = sizeof longest;
    return getsockopt(channel, SOL_BLUETOOTH, BT_SNDMTU, &longest, &size) == 0 ? longest : 0;
}

#endif
